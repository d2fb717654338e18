/** Another implementation reads the codes that are drawn. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contentOf } from '../../../src/core/qr-code/codewords.ts'
import { qrModules, qrPicture } from '../../../src/core/qr-code/qr-code.ts'
import { readQrCode } from '../../support/qr-code.ts'

const pixelsOfModule = 4
const quietModules = 4

/** As a black and white picture, with a quiet zone. */
function read(text: string): string {
  const modules = qrModules(text) ?? []
  const width = (modules.length + 2 * quietModules) * pixelsOfModule
  const data = new Uint8Array(width * width * 4).fill(255)
  const pixels = new Uint32Array(data.buffer)
  const black = new Uint32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0] ?? 0
  for (const [y, row] of modules.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (!isDark) continue
      const left = (x + quietModules) * pixelsOfModule
      const top = (y + quietModules) * pixelsOfModule
      for (let line = top; line < top + pixelsOfModule; line++)
        pixels.fill(black, line * width + left, line * width + left + pixelsOfModule)
    }
  }
  return readQrCode({ width, height: width, data })
}

describe('A QR code', () => {
  it('is read back with texts that just fit, also in the versions with lengths, bits and steps of their own', () => {
    const tried = [...Array(12).keys(), 13, 20, 26, 31, 39].map((index) => index + 1)
    for (const version of tried) {
      const length = longestOf(version)
      const text = Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7) % 90))).join('')
      assert.deepEqual(
        [versionOf(length), versionOf(length + 1)],
        [version, version < 40 ? version + 1 : null],
      )
      assert.equal(read(text), text, `version ${version}`)
    }
  })

  it('has any letters, and few of them', () => {
    for (const text of [
      'a',
      'otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme',
      'Éléonore 🦉 ÄÖÜ',
    ])
      assert.equal(read(text), text)
  })

  it('is not drawn for a text that is too long', () => {
    assert.equal(qrModules('x'.repeat(2332)), null)
    assert.equal(qrPicture('x'.repeat(2332)), null)
  })

  it('is a path of the dark modules, with the quiet zone', () => {
    const picture = qrPicture('a')
    assert.equal(picture?.side, 21 + 8)
    assert.match(picture?.path ?? '', /^M4 4h7v1h-7z/)
  })
})

/** The length of the longest text; found by halves, because a longer text never has a smaller version. */
function longestOf(version: number): number {
  let [fits, isTooLong] = [0, 2332]
  while (isTooLong - fits > 1) {
    const middle = Math.floor((fits + isTooLong) / 2)
    if ((versionOf(middle) ?? 41) <= version) fits = middle
    else isTooLong = middle
  }
  return fits
}

function versionOf(length: number): number | null {
  return contentOf('x'.repeat(length))?.version ?? null
}
