/** Another implementation reads the codes that are drawn. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contentOf } from '../../../src/core/qr-code/codewords.ts'
import { qrModules, qrPicture } from '../../../src/core/qr-code/qr-code.ts'
import { readQrCode } from '../../support/qr-code.ts'

/** Four pixels a module, with a quiet zone. */
function read(text: string): string {
  const modules = qrModules(text) ?? []
  const width = (modules.length + 8) * 4
  const isDark = (place: number): boolean => {
    const [x, y] = [place % width, Math.floor(place / width)].map((pixel) => Math.floor(pixel / 4) - 4)
    return modules[y ?? 0]?.[x ?? 0] === true
  }
  const data = Uint8Array.from({ length: width * width * 4 }, (_, index) =>
    index % 4 !== 3 && isDark(Math.floor(index / 4)) ? 0 : 255,
  )
  return readQrCode({ width, height: width, data })
}

describe('A QR code', () => {
  it('is read back with texts that just fit, also in the versions with lengths, bits and steps of their own', () => {
    const tried = [...Array(12).keys(), 13, 20, 26, 31, 39].map((index) => index + 1)
    const seen = new Set<number>()
    for (let length = 1; length <= 2331; length++) {
      const version = contentOf('x'.repeat(length))?.version ?? 0
      const isLast = contentOf('x'.repeat(length + 1))?.version !== version
      if (!isLast || !tried.includes(version)) continue
      const text = Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7) % 90))).join('')
      assert.equal(read(text), text, `version ${version}`)
      seen.add(version)
    }
    assert.deepEqual([...seen], tried)
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
