/**
 * Bounds the cost of parsing JSON by one pass over its bytes before. Deep nesting and many members are costly: the
 * parser takes 35 ms for a MiB of them, but 1 to 10 ms for a MiB of texts and numbers.
 */
import { refusal, type ServiceError } from '../errors.ts'

/** The maximum nesting: more than any schema needs, and less than the stack can take. */
export const maxJsonDepth = 100

/** The size up to which any text is parsed within a quarter of a millisecond. */
const smallBytes = 4096
/** The members that are always allowed, however small the largest body is. */
const minMaxMembers = 32 * 1024
/** The minimum size of a member in the largest body, in bytes. */
const minBytesPerMember = 32

/**
 * @param limitBytes the largest text that is accepted
 * @returns the number of members, lists and objects; 0 for a small text
 * @throws ServiceError `invalid` for too many of them, or too deep nesting
 */
export function checkJsonBounds(bytes: Uint8Array, limitBytes: number): number {
  if (bytes.length <= smallBytes) return 0
  const maxMembers = Math.max(minMaxMembers, Math.floor(limitBytes / minBytesPerMember))
  const members = countMembers(bytes, maxMembers)
  if (members === null) throw tooDeep()
  if (members <= maxMembers) return members
  throw refusal('tooManyMembers', { limit: maxMembers })
}

export function tooDeep(): ServiceError {
  return refusal('nestedTooDeep', { limit: maxJsonDepth })
}

const quote = 0x22
const backslash = 0x5c
/**
 * Two tables by byte, for bytes outside of strings: the change of the depth, and whether a member or a container
 * begins.
 */
const nesting = new Int8Array(256)
const begins = new Uint8Array(256)
for (const character of '[{') nesting[character.charCodeAt(0)] = 1
for (const character of ']}') nesting[character.charCodeAt(0)] = -1
for (const character of '[{:') begins[character.charCodeAt(0)] = 1

/** Counts up to the first fault, at which the parser stops as well. @returns `null` for too deep nesting */
function countMembers(bytes: Uint8Array, maxMembers: number): number | null {
  let depth = 0
  let members = 0
  for (let index = 0; index < bytes.length && members <= maxMembers; index++) {
    const byte = bytes[index] as number // the index is within
    if (byte === quote) index = endOfText(bytes, index + 1)
    else {
      depth += nesting[byte] as number // each table has an entry for every byte
      members += begins[byte] as number // each table has an entry for every byte
      if (depth > maxJsonDepth) return null
    }
  }
  return members
}

/** @returns the index of the closing quote */
function endOfText(bytes: Uint8Array, begin: number): number {
  let index = begin
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index
}
