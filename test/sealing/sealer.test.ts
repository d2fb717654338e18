import assert from 'node:assert/strict'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { CannotUnseal, Sealer } from '../../src/core/encryption/secret-box.ts'

const [former, present, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)]

describe('A sealer', () => {
  it('opens what its own key and the further ones have sealed, and nothing else', () => {
    const sealer = new Sealer(present, [former])
    for (const key of [present, former]) {
      assert.equal(sealer.open(new Sealer(key).seal('text', 'purpose'), 'purpose'), 'text')
    }
    for (const sealed of [new Sealer(stranger).seal('text', 'purpose'), sealer.seal('text', 'another')]) {
      assert.throws(() => sealer.open(sealed, 'purpose'), CannotUnseal)
    }
  })

  it('seals under its own key alone', () => {
    const sealed = new Sealer(present, [former]).seal('text', 'purpose')
    assert.equal(new Sealer(present).open(sealed, 'purpose'), 'text')
    assert.throws(() => new Sealer(former).open(sealed, 'purpose'), CannotUnseal)
  })

  it('opens the form without the id of a key, whichever of its keys that was', () => {
    for (const key of [present, former]) {
      assert.equal(new Sealer(present, [former]).open(firstForm(key, 'text'), 'purpose'), 'text')
    }
    assert.throws(
      () => new Sealer(present, [former]).open(firstForm(stranger, 'text'), 'purpose'),
      CannotUnseal,
    )
  })

  it('opens nothing that was changed, the version and the id of the key included', () => {
    const sealer = new Sealer(present)
    const sealed = sealer.seal('text', 'purpose')
    for (const place of sealed.keys()) {
      const changed = Uint8Array.from(sealed, (byte, at) => (at === place ? byte ^ 1 : byte))
      assert.throws(() => sealer.open(changed, 'purpose'), CannotUnseal, `byte ${place}`)
    }
    for (const length of [0, 1, 5, 17, 32]) {
      assert.throws(() => sealer.open(sealed.subarray(0, length), 'purpose'), CannotUnseal)
    }
  })

  it('seals anew what it opens, for a purpose of a feature that does not run as well', () => {
    const sealer = new Sealer(present, [former])
    sealer.allow([])
    const sealed = sealer.reseal(new Sealer(former).seal('text', 'purpose'), 'purpose')
    assert.deepEqual(Buffer.from(sealed.subarray(0, 5)), Buffer.from(sealer.prefix))
    assert.equal(new Sealer(present).open(sealed, 'purpose'), 'text')
  })

  it('seals and digests for no purpose that no feature tells of', () => {
    const sealer = new Sealer(present)
    sealer.allow(['known'])
    sealer.seal('text', 'known')
    assert.throws(() => sealer.seal('text', 'unknown'), /No feature says which column/)
    assert.throws(() => sealer.digest('text', 'unknown'), /No feature has unknown among its digests/)
  })

  it('names the keys by ids, which say nothing about them', () => {
    const sealed = new Sealer(stranger).seal('text', 'purpose')
    const sealer = new Sealer(present, [former])
    const ids = [stranger, present, former].map((key) => new Sealer(key).keyId)
    assert.equal(new Set(ids).size, 3)
    assert.throws(
      () => sealer.open(sealed, 'purpose'),
      ({ message }: Error) => ids.every((id) => message.includes(id)),
    )
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}$/)
  })
})

/** As everything was sealed before a key had an id. */
function firstForm(masterKey: Uint8Array, text: string): Uint8Array {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'tenantry:purpose', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), sealed])
}
