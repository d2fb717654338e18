/** A signed message, and how digests are compared. Every scheme uses this. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface SignedMessage {
  /** In lower case; the specified scheme has it in the name of its header. */
  provider: string
  headers: Headers
  /** As it came, byte for byte. */
  body: Uint8Array
  /** Newest first; any of them may have signed. */
  secrets: readonly string[]
  now: Date
  /** How far the clock of the sender may be from ours, either way. */
  toleranceSeconds: number
}

export type SignatureRefusal = 'missing' | 'malformed' | 'untimely' | 'mismatch'

/** `secret`: the index of the one that signed. */
export type SignatureVerdict = { secret: number } | { refusal: SignatureRefusal }

/** More than any sender needs: the number of comparisons has a bound. */
export const maxSignatures = 20
const maxHeaderLength = 4096

/** @param name in lower case @returns the text of the header, `null` for none */
export function readHeader({ headers }: Pick<SignedMessage, 'headers'>, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

export function isOverlong(text: string): boolean {
  return text.length > maxHeaderLength
}

/** @param timestamp Unix time in seconds as it was sent */
export function isTimely(timestamp: string, { now, toleranceSeconds }: SignedMessage): boolean {
  const differs = Math.abs(Math.floor(now.getTime() / 1000) - Number(timestamp))
  return differs <= toleranceSeconds
}

export function isTimestamp(text: string): boolean {
  return /^(0|[1-9]\d{0,11})$/.test(text)
}

/**
 * Compares each given digest with that of each secret, and always all of them: the time reveals nothing.
 * @param signed what precedes the body
 */
export function findSecret(
  { body, secrets }: SignedMessage,
  given: readonly Uint8Array[],
  signed = '',
  keyOf: (secret: string) => string | Uint8Array | null = (secret) => secret,
): SignatureVerdict {
  let found = -1
  secrets.forEach((secret, index) => {
    const key = keyOf(secret)
    // Anyone can sign with an empty key.
    if (key === null || key.length === 0) return
    const digest = createHmac('sha256', key).update(signed).update(body).digest()
    for (const candidate of given) {
      const isEqual = candidate.length === digest.length && timingSafeEqual(candidate, digest)
      if (isEqual && found === -1) found = index
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
