/** Signed messages and the comparison of their digests, for every scheme. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface SignedMessage {
  /** The name of the provider in lower case. The scheme `stripe` has it in the name of its header. */
  provider: string
  headers: Headers
  /** The body, byte for byte as it was received. */
  body: Uint8Array
  /**
   * The addresses that the sender may have called, by `BASE_URL` and by the header `Host`: some schemes sign them.
   */
  addresses: readonly string[]
  /** Newest first. Any of them may have signed. */
  secrets: readonly string[]
  now: Date
  /** The maximum difference between the clocks of the sender and the service, in either direction. */
  toleranceSeconds: number
}

export type SignatureRefusal = 'missing' | 'malformed' | 'untimely' | 'mismatch'

/** `secret` is the index of the secret that signed. */
export type SignatureVerdict = { secret: number } | { refusal: SignatureRefusal }

/** The most signatures in a message, which bounds the comparisons. Senders send fewer. */
export const maxSignatures = 20
const maxHeaderLength = 4096

/** @param name in lower case @returns `null` for a header that is missing, empty or repeated */
export function readHeader({ headers }: Pick<SignedMessage, 'headers'>, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** @param names in lower case, the preferred one first @returns `null` if there is none */
export function firstHeader(
  message: Pick<SignedMessage, 'headers'>,
  names: readonly string[],
): string | null {
  return names.map((name) => readHeader(message, name)).find((value) => value !== null) ?? null
}

/** Whether a header is longer than any sender makes it. Longer headers are refused unread. */
export function isOverlong(text: string): boolean {
  return text.length > maxHeaderLength
}

/** @param timestamp Unix time in seconds, as sent */
export function isTimely(timestamp: string, { now, toleranceSeconds }: SignedMessage): boolean {
  const difference = Math.abs(Math.floor(now.getTime() / 1000) - Number(timestamp))
  return difference <= toleranceSeconds
}

/** Refuses leading zeros, so that each moment has only one text. */
export function isTimestamp(text: string): boolean {
  return /^(0|[1-9]\d{0,11})$/.test(text)
}

/**
 * Finds the secret that signed with HMAC-SHA256.
 * @param given the digests of the message
 * @param prefix the signed text before the body
 * @param keyOf decodes a secret to its key; `null` for a secret that cannot be decoded
 */
export function findSecret(
  { body, secrets }: SignedMessage,
  given: readonly Uint8Array[],
  prefix = '',
  keyOf: (secret: string) => string | Uint8Array | null = (secret) => secret,
): SignatureVerdict {
  return findSigner(secrets, given, (secret) => {
    const key = keyOf(secret)
    // Anyone can sign with an empty key.
    if (key === null || key.length === 0) return []
    return [createHmac('sha256', key).update(prefix).update(body).digest()]
  })
}

/**
 * Always compares every given digest with the digests of every secret, so that the duration reveals nothing.
 * @param digestsBy the digests that the sender may have made with a secret
 */
export function findSigner(
  secrets: readonly string[],
  given: readonly Uint8Array[],
  digestsBy: (secret: string) => readonly Uint8Array[],
): SignatureVerdict {
  let found = -1
  secrets.forEach((secret, index) => {
    for (const digest of digestsBy(secret)) {
      for (const candidate of given) {
        const isEqual = candidate.length === digest.length && timingSafeEqual(candidate, digest)
        if (isEqual && found === -1) found = index
      }
    }
  })
  return found === -1 ? { refusal: 'mismatch' } : { secret: found }
}

/** @returns the 32 bytes of a digest in hexadecimal, or `null` */
export function hexDigest(text: string): Buffer | null {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : null
}

/** @returns the 32 bytes of a digest in base64, or `null` */
export function base64Digest(text: string): Buffer | null {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : null
}
