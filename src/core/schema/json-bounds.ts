/**
 * Bounds what JSON costs to parse, by one pass over its bytes. Depth and members cost: the parser takes 35 ms for a
 * mebibyte of nothing else, and 1 to 10 ms for one of texts and numbers.
 */
import { ServiceError } from '../errors.ts'

/** Far more than any shape of ours needs, far less than what exhausts the stack. */
export const maxJsonDepth = 100

/** What is smaller is parsed in a quarter of a millisecond, whatever it is. */
const smallBytes = 4096
const minMaxMembers = 32 * 1024
/** Of a body as large as it may be. */
const minBytesPerMember = 32

/**
 * @param limitBytes the largest text that is accepted here
 * @returns members of objects, and lists and objects themselves; 0 for a small text
 * @throws ServiceError `invalid` for one that has too many of them, or is nested too deep
 */
export function checkJsonBounds(bytes: Uint8Array, limitBytes: number): number {
  if (bytes.length <= smallBytes) return 0
  const maxMembers = Math.max(minMaxMembers, Math.floor(limitBytes / minBytesPerMember))
  const members = countMembers(bytes, maxMembers)
  if (members === null) throw tooDeep()
  if (members <= maxMembers) return members
  throw new ServiceError('invalid', `The body has more than ${maxMembers} members, lists and objects.`)
}

export function tooDeep(): ServiceError {
  return new ServiceError('invalid', `The body is nested deeper than ${maxJsonDepth} levels.`)
}

const quote = 0x22
const backslash = 0x5c
/** By the byte, outside of texts: what it does to the depth, and whether a member, a list or an object begins. */
const nesting = new Int8Array(256)
const begins = new Uint8Array(256)
for (const character of '[{') nesting[character.charCodeAt(0)] = 1
for (const character of ']}') nesting[character.charCodeAt(0)] = -1
for (const character of '[{:') begins[character.charCodeAt(0)] = 1

/** Right for all that a parser reads: it stops at the first fault. @returns `null` for what is nested too deep */
function countMembers(bytes: Uint8Array, maxMembers: number): number | null {
  let depth = 0
  let members = 0
  for (let place = 0; place < bytes.length && members <= maxMembers; place++) {
    const byte = bytes[place] as number // the place is within
    if (byte === quote) place = endOfText(bytes, place + 1)
    else {
      depth += nesting[byte] as number // of any byte
      members += begins[byte] as number // likewise
      if (depth > maxJsonDepth) return null
    }
  }
  return members
}

/** @returns the place of its closing quote */
function endOfText(bytes: Uint8Array, begin: number): number {
  let place = begin
  while (place < bytes.length && bytes[place] !== quote) place += bytes[place] === backslash ? 2 : 1
  return place
}
