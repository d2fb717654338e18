import { randomBytes } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const crockford = '0123456789abcdefghjkmnpqrstvwxyz'

let lastMs = 0
let sequence = 0
let pool = Buffer.alloc(0)
let poolOffset = 0

/**
 * A UUIDv7 in lower case (RFC 9562, section 5.7; method 1: a 12-bit counter within the millisecond).
 * Within one process each id sorts after the one before, so that id order is creation order.
 */
export function newId(): string {
  const ms = tick()
  const time = ms.toString(16).padStart(12, '0')
  const random = randomHex()
  const counter = sequence.toString(16).padStart(3, '0')
  const variant = ((Number.parseInt(random.charAt(0), 16) & 3) | 8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${random.slice(1, 4)}-${random.slice(4)}`
}

/** An event id: `evt_` and 26 characters of Crockford base 32, sorted by time like `newId`. */
export function newEventId(): string {
  return eventIdOf(newId())
}

function eventIdOf(id: string): string {
  let bits = BigInt(`0x${id.replaceAll('-', '')}`)
  let text = ''
  for (let place = 0; place < 26; place++) {
    text = crockford.charAt(Number(bits & 31n)) + text
    bits >>= 5n
  }
  return `evt_${text}`
}

/** The smallest UUID that `newId` can give at this moment: what is older sorts before it. */
export function firstIdAt(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** The same for `newEventId`. */
export function firstEventIdAt(moment: Date): string {
  return eventIdOf(firstIdAt(moment))
}

/** Whether a path segment can name a row at all. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

function tick(): number {
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  return lastMs
}

function randomHex(): string {
  if (poolOffset === pool.length) {
    pool = randomBytes(8 * 512)
    poolOffset = 0
  }
  poolOffset += 8
  return pool.toString('hex', poolOffset - 8, poolOffset)
}
