import assert from 'node:assert/strict'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { CannotDecrypt, SecretBox } from '../../../src/core/encryption/secret-box.ts'

const [former, present, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)]

describe('A secretBox', () => {
  it('opens what its own key and the further ones have sealed, and nothing else', () => {
    const secretBox = new SecretBox(present, [former])
    for (const key of [present, former]) {
      assert.equal(secretBox.decrypt(new SecretBox(key).encrypt('text', 'purpose'), 'purpose'), 'text')
    }
    for (const sealed of [
      new SecretBox(stranger).encrypt('text', 'purpose'),
      secretBox.encrypt('text', 'another'),
    ]) {
      assert.throws(() => secretBox.decrypt(sealed, 'purpose'), CannotDecrypt)
    }
  })

  it('seals under its own key alone', () => {
    const sealed = new SecretBox(present, [former]).encrypt('text', 'purpose')
    assert.equal(new SecretBox(present).decrypt(sealed, 'purpose'), 'text')
    assert.throws(() => new SecretBox(former).decrypt(sealed, 'purpose'), CannotDecrypt)
  })

  it('opens the form without the id of a key, whichever of its keys that was', () => {
    for (const key of [present, former]) {
      assert.equal(new SecretBox(present, [former]).decrypt(firstForm(key, 'text'), 'purpose'), 'text')
    }
    assert.throws(
      () => new SecretBox(present, [former]).decrypt(firstForm(stranger, 'text'), 'purpose'),
      CannotDecrypt,
    )
  })

  it('opens nothing that was changed, the version and the id of the key included', () => {
    const secretBox = new SecretBox(present)
    const sealed = secretBox.encrypt('text', 'purpose')
    for (const place of sealed.keys()) {
      const changed = Uint8Array.from(sealed, (byte, at) => (at === place ? byte ^ 1 : byte))
      assert.throws(() => secretBox.decrypt(changed, 'purpose'), CannotDecrypt, `byte ${place}`)
    }
    for (const length of [0, 1, 5, 17, 32]) {
      assert.throws(() => secretBox.decrypt(sealed.subarray(0, length), 'purpose'), CannotDecrypt)
    }
  })

  it('seals anew what it opens, for a purpose of a feature that does not run as well', () => {
    const secretBox = new SecretBox(present, [former])
    secretBox.allowPurposes([])
    const sealed = secretBox.reencrypt(new SecretBox(former).encrypt('text', 'purpose'), 'purpose')
    assert.deepEqual(Buffer.from(sealed.subarray(0, 5)), Buffer.from(secretBox.prefix))
    assert.equal(new SecretBox(present).decrypt(sealed, 'purpose'), 'text')
  })

  it('seals and digests for no purpose that no feature tells of', () => {
    const secretBox = new SecretBox(present)
    secretBox.allowPurposes(['known'])
    secretBox.encrypt('text', 'known')
    assert.throws(() => secretBox.encrypt('text', 'unknown'), /No feature declares the column/)
    assert.throws(() => secretBox.digest('text', 'unknown'), /No feature has unknown among its digests/)
  })

  it('names the keys by ids, which say nothing about them', () => {
    const sealed = new SecretBox(stranger).encrypt('text', 'purpose')
    const secretBox = new SecretBox(present, [former])
    const ids = [stranger, present, former].map((key) => new SecretBox(key).keyId)
    assert.equal(new Set(ids).size, 3)
    assert.throws(
      () => secretBox.decrypt(sealed, 'purpose'),
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
