/** The encoding of a file, as it is recognised. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, type Encoding, encodingOf } from '../../../assets/console/entity/import/decode.ts'

const content = 'name;note\r\nÉtagère;à côté\r\n'

/** Each is read as what it is, and as the text without its mark. */
const files: readonly [name: string, bytes: Uint8Array, encoding: Encoding][] = [
  ['UTF-8', Buffer.from(content), 'utf-8'],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${content}`), 'utf-8'],
  ['UTF-16 with its mark', Buffer.from(`\uFEFF${content}`, 'utf16le'), 'utf-16le'],
  ['UTF-16 in the other order', Buffer.from(`\uFEFF${content}`, 'utf16le').swap16(), 'utf-16be'],
  ['Windows-1252', Buffer.from(content, 'latin1'), 'windows-1252'],
]

describe('The encoding of a file', () => {
  for (const [name, bytes, encoding] of files)
    it(`is recognised: ${name}`, () => {
      assert.equal(encodingOf(bytes), encoding)
      assert.equal(decode(bytes, encoding), content)
    })

  it('has the characters of Windows where Latin-1 has none', () => {
    const bytes = new Uint8Array([0x80, 0x20, 0x93, 0x61, 0x94])
    assert.equal(decode(bytes, encodingOf(bytes)), '€ “a”')
  })

  it('is refused where the bytes are none of it, and nothing is replaced', () => {
    assert.equal(decode(Buffer.from('Étagère', 'latin1'), 'utf-8'), null)
    assert.equal(decode(new Uint8Array([0x61]), 'utf-16le'), null)
  })
})
