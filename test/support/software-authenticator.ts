/** An authenticator in software (WebAuthn Level 3, sections 6 and 7) that a test can also let lie. */
import {
  createPrivateKey,
  createSign,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

interface Key {
  id: Buffer
  rpId: string
  userHandle: string
  privateKey: KeyObject
  counter: number
}

/** A passkey as text, without its counter. */
export interface ExportedPasskey {
  id: string
  rpId: string
  userHandle: string
  privateKey: string
}

/** What an attacker, or a broken authenticator, would change. */
export interface Lies {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  counter?: number
  isVerified?: boolean
  userHandle?: string
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

export interface RequestOptions {
  challenge: string
  rpId: string
}

export class SoftwareAuthenticator {
  readonly #origin: string
  #key: Key | null = null

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Of the passkey that was created last. It was not used. */
  export(): ExportedPasskey {
    const { id, rpId, userHandle, privateKey } = this.#existingKey()
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { id: id.toString('base64url'), rpId, userHandle, privateKey: text }
  }

  import({ id, rpId, userHandle, privateKey }: ExportedPasskey): void {
    const key = createPrivateKey(privateKey)
    this.#key = { id: Buffer.from(id, 'base64url'), rpId, userHandle, privateKey: key, counter: 0 }
  }

  /** As `navigator.credentials.create` and `toJSON`. */
  create({ challenge, rp, user }: CreationOptions, lies: Lies = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const key: Key = { id: randomBytes(32), rpId: rp.id, userHandle: user.id, privateKey, counter: 0 }
    this.#key = key
    const [first, second] = [x, y].map((each) => Buffer.from(each, 'base64url'))
    const cose = [Buffer.from('a5010203262001215820', 'hex'), first, Buffer.from('225820', 'hex'), second]
    const attested = [Buffer.alloc(16), Buffer.from([0, key.id.length]), key.id, ...cose] as Buffer[] // all are there
    const authData = Buffer.concat([this.#data(key, flags.attested, lies), ...attested])
    // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR (RFC 8949).
    const head = Buffer.from(`a363666d74646e6f6e656761747453746d74a0686175746844617461`, 'hex')
    const length = Buffer.from([0x59, authData.length >> 8, authData.length & 0xff])
    return {
      ...named(key),
      response: {
        clientDataJSON: this.#client('webauthn.create', challenge, lies),
        attestationObject: Buffer.concat([head, length, authData]).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** As `navigator.credentials.get` and `toJSON`. */
  get({ challenge }: RequestOptions, lies: Lies = {}) {
    const key = this.#existingKey()
    key.counter++
    const clientDataJSON = this.#client('webauthn.get', challenge, lies)
    const authData = this.#data(key, 0, lies)
    const digest = Buffer.from(hash('sha256', Buffer.from(clientDataJSON, 'base64url')), 'hex')
    const signature = createSign('sha256').update(authData).update(digest).sign(key.privateKey)
    return {
      ...named(key),
      response: {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: lies.userHandle ?? key.userHandle,
      },
    }
  }

  #existingKey(): Key {
    if (this.#key === null) throw new Error('There is no passkey.')
    return this.#key
  }

  #client(type: string, challenge: string, lies: Lies): string {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false }
    const { type: otherType = type, challenge: other = challenge, origin = this.#origin } = lies
    const text = JSON.stringify({ ...data, type: otherType, challenge: other, origin })
    return Buffer.from(text).toString('base64url')
  }

  #data(key: Key, more: number, { rpId = key.rpId, counter = key.counter, isVerified = true }: Lies): Buffer {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    const flag = flags.present | (isVerified ? flags.verified : 0) | more
    return Buffer.concat([Buffer.from(hash('sha256', rpId), 'hex'), Buffer.from([flag]), counted])
  }
}

function named({ id }: Key) {
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key' }
}
