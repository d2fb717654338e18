/** Another implementation reads the codes that are drawn. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { qrPicture } from '../../src/core/qr-code.ts'
import { readQrCode } from '../support/qr-code.ts'

/** The bytes that versions have room for at level M (ISO/IEC 18004, table 7), and the longest text that is drawn. */
const capacities = { 1: 14, 2: 26, 6: 106, 7: 122, 9: 180, 10: 213, 20: 666, 40: 2300 }
const margin = 4

describe('A QR code', () => {
  it('is read back with texts that just fit', () => {
    for (const [version, length] of Object.entries(capacities)) {
      const text = Array.from({ length }, (_, index) => String.fromCharCode(97 + ((index * 7) % 26))).join('')
      assert.equal(sideOf(text), Number(version) * 4 + 17 + 2 * margin)
      assert.equal(read(text), text, `version ${version}`)
    }
  })

  it('has any letters, and few of them', () => {
    for (const text of [
      'a',
      'otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme',
      'Éléonore 🦉 ÄÖÜ',
      '0123456789 ABC 漢字',
      '🦉'.repeat(575),
    ])
      assert.equal(read(text), text)
  })

  it('is not drawn for a text that is too long, in bytes', () => {
    assert.equal(qrPicture('x'.repeat(2301)), null)
    assert.equal(qrPicture('🦉'.repeat(576)), null)
  })

  it('has a margin around the path of its dark modules', () => {
    assert.equal(qrPicture('a')?.viewBox, '-4 -4 29 29')
    assert.match(qrPicture('a')?.path ?? '', /^M[\dLMZ ]+Z$/)
  })
})

function sideOf(text: string): number {
  return Number(qrPicture(text)?.viewBox.split(' ')[2])
}

const pixelsOfModule = 4

/** As a black and white picture. */
function read(text: string): string {
  const width = sideOf(text) * pixelsOfModule
  const data = new Uint8Array(width * width * 4).fill(255)
  const pixels = new Uint32Array(data.buffer)
  const black = new Uint32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0] ?? 0
  for (const { y, from, to } of darkRuns(qrPicture(text)?.path ?? '')) {
    const left = (from + margin) * pixelsOfModule
    const right = (to + margin) * pixelsOfModule
    const top = (y + margin) * pixelsOfModule
    for (let line = top; line < top + pixelsOfModule; line++)
      pixels.fill(black, line * width + left, line * width + right)
  }
  return readQrCode({ width, height: width, data })
}

/** Between two vertical edges of a row, which change light to dark and back. */
function* darkRuns(path: string): Generator<{ y: number; from: number; to: number }> {
  const edges = Map.groupBy(verticalEdges(path), ({ y }) => y)
  for (const [y, inRow] of edges) {
    const places = inRow.map(({ x }) => x).toSorted((a, b) => a - b)
    for (let index = 0; index < places.length; index += 2)
      yield { y, from: places[index] ?? 0, to: places[index + 1] ?? 0 }
  }
}

/** The vertical lines of each outline, by the rows that they pass. */
function* verticalEdges(path: string): Generator<{ x: number; y: number }> {
  for (const [outline] of path.matchAll(/[\dL ]+(?=Z)/g)) {
    const corners = outline.split('L').map((corner) => corner.split(' ').map(Number))
    for (const [index, [x = 0, y = 0]] of corners.entries()) {
      const [nextX, nextY = 0] = corners[(index + 1) % corners.length] ?? []
      const end = nextX === x ? Math.max(y, nextY) : 0
      for (let row = Math.min(y, nextY); row < end; row++) yield { x, y: row }
    }
  }
}
