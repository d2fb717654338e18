/** Encryption at rest: AES-256-GCM under keys derived from the master key, one for each purpose. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const formatVersion = 1
const nonceLength = 12
const tagLength = 16

export class Sealer {
  readonly #masterKey: Uint8Array
  readonly #keys = new Map<string, Buffer>()

  /** @param masterKey 32 bytes */
  constructor(masterKey: Uint8Array) {
    this.#masterKey = masterKey
  }

  /** @param purpose what the text is; opening it for another purpose fails */
  seal(text: string, purpose: string): Uint8Array {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', this.#key(purpose), nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), sealed])
  }

  /** @throws CannotUnseal when the bytes were not sealed under this master key for this purpose */
  open(bytes: Uint8Array, purpose: string): string {
    const sealed = Buffer.from(bytes)
    const nonceEnd = 1 + nonceLength
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key(purpose), sealed.subarray(1, nonceEnd))
      decipher.setAuthTag(sealed.subarray(nonceEnd, nonceEnd + tagLength))
      const text = Buffer.concat([decipher.update(sealed.subarray(nonceEnd + tagLength)), decipher.final()])
      return text.toString('utf8')
    } catch (error) {
      throw new CannotUnseal(purpose, error)
    }
  }

  /** A keyed digest: 32 bytes that nobody without the master key can compute. */
  digest(text: string, purpose: string): Buffer {
    return createHmac('sha256', this.#key(purpose)).update(text).digest()
  }

  #key(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.#masterKey, '', `tenantry:${purpose}`, 32))
      this.#keys.set(purpose, key)
    }
    return key
  }
}

/** What was sealed was damaged, or sealed under another master key. */
export class CannotUnseal extends Error {
  constructor(purpose: string, cause: unknown) {
    super(`The master key does not open the ${purpose} in the database: it is not the one that sealed it.`, {
      cause,
    })
  }
}
