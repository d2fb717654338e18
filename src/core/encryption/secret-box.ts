/** Encryption at rest: AES-256-GCM under keys derived from a master key, one for each purpose. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The first byte. The id of the master key follows, then the nonce; in the form 1 the nonce follows at once. */
const withKeyId = 2
const idLength = 4
const nonceLength = 12
const tagLength = 16

/**
 * Seals under one master key, and opens what that one or a further one has sealed: while the key changes, instances
 * with either as their first read what the others write.
 */
export class Sealer {
  #present: MasterKey
  #all: readonly MasterKey[]
  readonly #digestKeys = new Map<string, Uint8Array>()
  #purposes: ReadonlySet<string> | null = null

  /** @param masterKey 32 bytes @param opening further ones, which open and never seal */
  constructor(masterKey: Uint8Array, opening: readonly Uint8Array[] = []) {
    this.#present = new MasterKey(masterKey)
    this.#all = [this.#present, ...opening.map((key) => new MasterKey(key))]
  }

  /**
   * From now on it seals under this key. What another process seals under a key that is not among these it cannot open.
   * @throws Error when the key that has sealed until now is not among them: nothing is changed
   */
  changeKeys(masterKey: Uint8Array, opening: readonly Uint8Array[]): void {
    const present = new MasterKey(masterKey)
    const all = [present, ...opening.map((key) => new MasterKey(key))]
    if (!all.some(({ id }) => id.equals(this.#present.id)))
      throw new Error(`The present master key, ${this.keyId}, is not among the new ones.`)
    this.#present = present
    this.#all = all
  }

  /** Of the key that seals, in hex: tells keys apart, and nothing about them. */
  get keyId(): string {
    return this.#present.id.toString('hex')
  }

  /** Of every key that opens, the one that seals among them. */
  get keyIds(): string[] {
    return this.#all.map(({ id }) => id.toString('hex'))
  }

  /** What everything begins with that is sealed under the present key in the present form. */
  get prefix(): Uint8Array {
    return Buffer.of(withKeyId, ...this.#present.id)
  }

  /** From here on nothing is sealed for another purpose: it would be left behind when the master key changes. */
  allow(purposes: Iterable<string>): void {
    this.#purposes = new Set(purposes)
  }

  /** @param purpose what the text is; opening it for another purpose fails */
  seal(text: string, purpose: string): Uint8Array {
    if (this.#purposes?.has(purpose) === false) {
      throw new Error(`No feature says which column holds what is sealed as ${purpose} (\`sealed\`).`)
    }
    return this.#seal(text, purpose)
  }

  /** @throws CannotUnseal when the bytes were not sealed under one of the master keys for this purpose */
  open(bytes: Uint8Array, purpose: string): string {
    const sealed = Buffer.from(bytes)
    const idEnd = sealed[0] === withKeyId ? 1 + idLength : 1
    const id = sealed[0] === withKeyId ? sealed.subarray(1, idEnd) : null
    let fault: unknown
    for (const key of this.#all) {
      if (id !== null && !id.equals(key.id)) continue
      try {
        return decipher(sealed, idEnd, key.derive(purpose))
      } catch (error) {
        fault = error
      }
    }
    throw new CannotUnseal(purpose, { sealedUnder: id?.toString('hex') ?? null, known: this.keyIds }, fault)
  }

  /** The same text, sealed under the present key, whatever feature it is of. @throws CannotUnseal */
  reseal(bytes: Uint8Array, purpose: string): Uint8Array {
    return this.#seal(this.open(bytes, purpose), purpose)
  }

  /**
   * A keyed digest: 32 bytes that nobody without the key can compute, and that stay the same when the master key
   * changes. @throws Error for a purpose that no feature has among its `digests`
   */
  digest(text: string, purpose: string): Buffer {
    const key = this.#digestKeys.get(purpose)
    if (key === undefined) throw new Error(`No feature has ${purpose} among its digests.`)
    return createHmac('sha256', key).update(text).digest()
  }

  /** The key that digests begin with; from then on it is kept in the catalogue. */
  firstDigestKey(purpose: string): Uint8Array {
    return this.#present.derive(purpose)
  }

  useDigestKey(purpose: string, key: Uint8Array): void {
    this.#digestKeys.set(purpose, key)
  }

  #seal(text: string, purpose: string): Uint8Array {
    const nonce = randomBytes(nonceLength)
    const { prefix } = this
    const cipher = createCipheriv('aes-256-gcm', this.#present.derive(purpose), nonce).setAAD(prefix)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([prefix, nonce, cipher.getAuthTag(), sealed])
  }
}

class MasterKey {
  /** Derived like the keys, so that it helps nobody to find one. */
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

function decipher(sealed: Buffer, prefixEnd: number, key: Buffer): string {
  const nonceEnd = prefixEnd + nonceLength
  const tagEnd = nonceEnd + tagLength
  const options = { authTagLength: tagLength } // a shorter tag would be easier to guess
  const opening = createDecipheriv('aes-256-gcm', key, sealed.subarray(prefixEnd, nonceEnd), options)
  if (sealed[0] === withKeyId) opening.setAAD(sealed.subarray(0, prefixEnd))
  opening.setAuthTag(sealed.subarray(nonceEnd, tagEnd))
  return Buffer.concat([opening.update(sealed.subarray(tagEnd)), opening.final()]).toString('utf8')
}

/** What was sealed was damaged, or sealed under another master key. */
export class CannotUnseal extends Error {
  constructor(
    purpose: string,
    { sealedUnder, known }: { sealedUnder: string | null; known: string[] },
    cause: unknown,
  ) {
    const under = sealedUnder === null ? 'under another' : `under the one with the id ${sealedUnder}`
    super(
      `The master key does not open the ${purpose} in the database, which was sealed ${under}. ` +
        `MASTER_KEY and MASTER_KEYS_OPENING have the ids ${known.join(', ')}.`,
      { cause },
    )
  }
}
