/**
 * The text of an API key: `tnt_live_`, 30 random characters, and their checksum in 6 characters. Secret scanners find
 * such keys, and the checksum exposes most mistyped ones.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const keyPrefix = 'tnt_live_'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The number of random characters. 30 characters of base 62 have 178 bits. */
const randomLength = 30
const checksumLength = 6
/** The random characters that lists show: 142 bits stay secret. */
const shownLength = 6
const bodyLength = randomLength + checksumLength
/** Bytes from here on would make the first characters of the alphabet more likely. */
const unbiasedBytes = 256 - (256 % alphabet.length)

/** The length of the part by which people tell a key from others. */
export const shownCharacters = keyPrefix.length + shownLength

const wellFormed = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${bodyLength}}$`)

export function newKeyText(): string {
  let random = ''
  while (random.length < randomLength) {
    for (const byte of randomBytes(randomLength)) {
      if (byte < unbiasedBytes && random.length < randomLength) random += alphabet[byte % alphabet.length]
    }
  }
  return `${keyPrefix}${random}${checksumOf(random)}`
}

/** Whether the text has the form and the checksum of a key. */
export function isKeyText(text: string): boolean {
  if (!wellFormed.test(text)) return false
  const random = text.slice(keyPrefix.length, -checksumLength)
  return text.endsWith(checksumOf(random))
}

export function shownPrefix(key: string): string {
  return key.slice(0, shownCharacters)
}

/** SHA-256: a key is random, so that a slow hash would add nothing. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex')
}

/** @returns the CRC-32 in base 62, padded with zeros in front */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  while (text.length < checksumLength) {
    text = `${alphabet[rest % alphabet.length]}${text}`
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
