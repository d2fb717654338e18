/** Time-based one-time passwords: RFC 6238 with SHA-1, six digits and 30 seconds, which every app supports. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const digits = 6
const stepSeconds = 30
/** The steps before and after the present one whose codes are accepted, because clocks differ and typing takes time. */
const tolerance = 1

/** The alphabet of base32 (RFC 4648, section 6). */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @returns the time step that contains the moment: its number since 1970 */
export function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 1000 / stepSeconds)
}

/** @param length the number of digits: the test vectors of RFC 6238 have eight */
export function codeOf(secret: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff // RFC 4226, section 5.3
  return String(number % 10 ** length).padStart(length, '0')
}

/** @param code six digits @returns the step to which the code belongs; `null` for a wrong code */
export function matchingStep(secret: Uint8Array, code: string, moment: Date): number | null {
  const present = stepAt(moment)
  for (let step = present - tolerance; step <= present + tolerance; step++)
    if (timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))) return step
  return null
}

/** Removes blanks, hyphens and invisible characters from a code as it was typed or copied. */
export function plainCode(code: string): string {
  return code.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
}

/** @returns the address that authenticator apps read from a QR code */
export function otpauthUrl(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = [issuer, account].map(encodeURIComponent).join(':')
  const period = stepSeconds
  const values = Object.entries({ secret, issuer, algorithm: 'SHA1', digits, period })
  return `otpauth://totp/${label}?${values.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`
}

/** Base32 without padding (RFC 4648, section 6). */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((part) => alphabet[Number.parseInt(part.padEnd(5, '0'), 2)])
    .join('')
}

/** The reverse of `toBase32`. */
export function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (part) => Number.parseInt(part, 2))
}
