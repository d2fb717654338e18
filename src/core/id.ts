import { createHash, randomBytes } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const eventIdPattern = /^evt_[0-9a-hjkmnp-tv-z]{26}$/
const crockford = '0123456789abcdefghjkmnpqrstvwxyz'
const variants = ['8', '9', 'a', 'b']

/** Random bytes are taken in advance, because one large call is much faster than many small ones. */
const randomBytesAhead = 4096

let lastMs = 0
let time = ''
let sequence = 0
let random = ''
let randomOffset = 0

/**
 * A UUIDv7 in lower case (RFC 9562, section 5.7; method 1: a 12-bit counter within the millisecond).
 * Within one process each id sorts after the previous one: id order is creation order.
 */
export function newId(): string {
  tick()
  if (randomOffset === random.length) {
    random = randomBytes(randomBytesAhead).toString('hex')
    randomOffset = 0
  }
  const from = randomOffset
  randomOffset += 16
  const variant = variants[Number.parseInt(random.charAt(from), 16) & 3]
  const counter = sequence.toString(16).padStart(3, '0')
  return `${time}-7${counter}-${variant}${random.slice(from + 1, from + 4)}-${random.slice(from + 4, from + 16)}`
}

/** An event id: `evt_` and 26 characters of Crockford base 32, sorted by time like `newId`. */
export function newEventId(): string {
  return eventIdOf(newId())
}

/** The smallest UUID that `newId` can return at this moment: older ids sort before it. */
export function firstIdAt(moment: Date): string {
  return `${timeOf(moment.getTime())}-7000-8000-000000000000`
}

/** A UUIDv7 that the moment and the text determine. */
export function idOf(moment: Date, text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  const variant = variants[Number.parseInt(digest.charAt(0), 16) & 3]
  return `${timeOf(moment.getTime())}-7${digest.slice(1, 4)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

/** The time of an id of `newId`, in Unix milliseconds. */
export function momentOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The smallest id that `newEventId` can return at this moment. */
export function firstEventIdAt(moment: Date): string {
  return eventIdOf(firstIdAt(moment))
}

function eventIdOf(id: string): string {
  const hex = id.replaceAll('-', '')
  // 128 bits: 8 of them in the first two characters, then 20 in every four.
  let text = base32(hex.slice(0, 2), 2)
  for (let from = 2; from < 32; from += 5) text += base32(hex.slice(from, from + 5), 4)
  return `evt_${text}`
}

function base32(hex: string, length: number): string {
  let bits = Number.parseInt(hex, 16)
  let text = ''
  for (let index = 0; index < length; index++) {
    text = crockford.charAt(bits & 31) + text
    bits >>>= 5
  }
  return text
}

/** Whether the text is an id of `newEventId`. */
export function isEventId(text: string): boolean {
  return eventIdPattern.test(text)
}

/** Whether a path segment is a UUID, and so can name a row. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

function tick(): void {
  const now = Date.now()
  if (now > lastMs) {
    start(now)
  } else if (++sequence > 0xfff) {
    start(lastMs + 1)
  }
}

function start(ms: number): void {
  lastMs = ms
  time = timeOf(ms)
  sequence = 0
}

/** The 48 bits of milliseconds that a UUIDv7 begins with. */
function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
