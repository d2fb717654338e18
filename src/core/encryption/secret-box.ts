/**
 * Encrypts secrets at rest with AES-256-GCM. The keys are derived from a master key, one for each purpose, such as
 * `signing-key`: a value that was encrypted for one purpose cannot be decrypted for another.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The first byte of a value is its format. Format 2 has the id of the master key and the nonce, format 1 the nonce only. */
const withKeyId = 2
const idLength = 4
const nonceLength = 12
const tagLength = 16

/**
 * Encrypts with one master key, and decrypts values of this key or of a previous one. While the master key is changed,
 * instances with the old and with the new key therefore read each other's values.
 */
export class SecretBox {
  #present: MasterKey
  #all: readonly MasterKey[]
  readonly #digestKeys = new Map<string, Uint8Array>()
  #purposes: ReadonlySet<string> | null = null

  /** @param masterKey 32 bytes @param previous further keys, which decrypt and never encrypt */
  constructor(masterKey: Uint8Array, previous: readonly Uint8Array[] = []) {
    this.#present = new MasterKey(masterKey)
    this.#all = [this.#present, ...previous.map((key) => new MasterKey(key))]
  }

  /**
   * Encrypts with this key from now on. Values of keys that are not given any more become unreadable.
   * @throws Error when the present key is not among the new ones; the keys then stay as they are
   */
  changeKeys(masterKey: Uint8Array, previous: readonly Uint8Array[]): void {
    const present = new MasterKey(masterKey)
    const all = [present, ...previous.map((key) => new MasterKey(key))]
    if (!all.some(({ id }) => id.equals(this.#present.id)))
      throw new Error(`The present master key, ${this.keyId}, is not among the new ones.`)
    this.#present = present
    this.#all = all
  }

  /** The id of the key that encrypts, in hex. It reveals nothing of the key. */
  get keyId(): string {
    return this.#present.id.toString('hex')
  }

  get keyIds(): string[] {
    return this.#all.map(({ id }) => id.toString('hex'))
  }

  /** The first bytes of everything that is encrypted under the present key in the present format. */
  get prefix(): Uint8Array {
    return Buffer.of(withKeyId, ...this.#present.id)
  }

  /** Other purposes are refused from now on: re-encryption would not find their values. */
  allowPurposes(purposes: Iterable<string>): void {
    this.#purposes = new Set(purposes)
  }

  /** @param purpose what the text is; decrypting it for another purpose fails */
  encrypt(text: string, purpose: string): Uint8Array {
    if (this.#purposes?.has(purpose) === false) {
      throw new Error(`No feature declares the column of values encrypted as ${purpose} (\`encrypted\`).`)
    }
    return this.#encrypt(text, purpose)
  }

  /** @throws CannotDecrypt when the bytes were not encrypted for this purpose under one of the master keys */
  decrypt(bytes: Uint8Array, purpose: string): string {
    const encrypted = Buffer.from(bytes)
    const idEnd = encrypted[0] === withKeyId ? 1 + idLength : 1
    const id = encrypted[0] === withKeyId ? encrypted.subarray(1, idEnd) : null
    let fault: unknown
    for (const key of this.#all) {
      if (id !== null && !id.equals(key.id)) continue
      try {
        return decipher(encrypted, idEnd, key.derive(purpose))
      } catch (error) {
        fault = error
      }
    }
    throw new CannotDecrypt(
      purpose,
      { encryptedUnder: id?.toString('hex') ?? null, known: this.keyIds },
      fault,
    )
  }

  /** Encrypts the same text under the present key, for any purpose. @throws CannotDecrypt */
  reencrypt(bytes: Uint8Array, purpose: string): Uint8Array {
    return this.#encrypt(this.decrypt(bytes, purpose), purpose)
  }

  /**
   * A keyed digest of 32 bytes. It stays the same when the master key changes.
   * @throws Error for a purpose that no feature has among its `digests`
   */
  digest(text: string, purpose: string): Buffer {
    const key = this.#digestKeys.get(purpose)
    if (key === undefined) throw new Error(`No feature has ${purpose} among its digests.`)
    return createHmac('sha256', key).update(text).digest()
  }

  /** The initial digest key of a purpose. The catalogue stores it. */
  firstDigestKey(purpose: string): Uint8Array {
    return this.#present.derive(purpose)
  }

  useDigestKey(purpose: string, key: Uint8Array): void {
    this.#digestKeys.set(purpose, key)
  }

  #encrypt(text: string, purpose: string): Uint8Array {
    const nonce = randomBytes(nonceLength)
    const { prefix } = this
    const cipher = createCipheriv('aes-256-gcm', this.#present.derive(purpose), nonce).setAAD(prefix)
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([prefix, nonce, cipher.getAuthTag(), encrypted])
  }
}

class MasterKey {
  /** The id of the key. It is derived like the encryption keys, so that it reveals nothing of the key. */
  readonly id: Buffer
  readonly #key: Uint8Array
  readonly #derived = new Map<string, Buffer>()

  constructor(key: Uint8Array) {
    this.#key = key
    this.id = Buffer.from(hkdfSync('sha256', key, '', 'tenantry-key-id', idLength))
  }

  derive(purpose: string): Buffer {
    let derived = this.#derived.get(purpose)
    if (derived === undefined) {
      derived = Buffer.from(hkdfSync('sha256', this.#key, '', `tenantry:${purpose}`, 32))
      this.#derived.set(purpose, derived)
    }
    return derived
  }
}

function decipher(encrypted: Buffer, prefixEnd: number, key: Buffer): string {
  const nonceEnd = prefixEnd + nonceLength
  const tagEnd = nonceEnd + tagLength
  const options = { authTagLength: tagLength } // a shorter tag is easier to guess
  const decryption = createDecipheriv('aes-256-gcm', key, encrypted.subarray(prefixEnd, nonceEnd), options)
  if (encrypted[0] === withKeyId) decryption.setAAD(encrypted.subarray(0, prefixEnd))
  decryption.setAuthTag(encrypted.subarray(nonceEnd, tagEnd))
  return Buffer.concat([decryption.update(encrypted.subarray(tagEnd)), decryption.final()]).toString('utf8')
}

/** The bytes are damaged, or were encrypted under another master key. */
export class CannotDecrypt extends Error {
  constructor(
    purpose: string,
    { encryptedUnder, known }: { encryptedUnder: string | null; known: string[] },
    cause: unknown,
  ) {
    const under =
      encryptedUnder === null ? 'another master key' : `the master key with the id ${encryptedUnder}`
    super(
      `The master key does not decrypt the ${purpose} in the database, which was encrypted under ${under}. ` +
        `MASTER_KEY and PREVIOUS_MASTER_KEYS have the ids ${known.join(', ')}.`,
      { cause },
    )
  }
}
