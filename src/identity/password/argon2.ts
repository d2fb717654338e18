/** Passwords: argon2id as PHC strings, hashed on the thread pool, a few at a time. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { HashOrigin, PasswordMatch, Passwords } from '../../core/passwords.ts'
import type { HashQueue } from './hash-queue.ts'
import { formerForm, preparePassword } from './prepared.ts'

/** The cost of one hash. */
export interface PasswordCost {
  /** In KiB. */
  memory: number
  passes: number
}

/**
 * 32 MiB, 2 passes, 1 lane; OWASP asks for at least 19 MiB. From this size on glibc returns the memory to the system
 * after each hash; of smaller blocks it keeps some for every thread that has hashed.
 */
export const defaultPasswordCost: PasswordCost = { memory: 32_768, passes: 2 }

/**
 * The maximum cost of a stored hash, unless the service's own hashes cost more: four times the default work, in twice
 * the memory. A hash may come from another installation, and anyone who knows the user name can make the service
 * compute it.
 */
export const maxPasswordCost = {
  memory: 2 * defaultPasswordCost.memory,
  work: 4 * workOf(defaultPasswordCost),
}
/** Bounds of stored hashes, which may come from another installation. */
const maxLanes = 4
const saltLengths = { min: 8, max: 64 }
const tagLengths = { min: 16, max: 64 }

/** The parameters of new hashes. */
const lanes = 1
const saltLength = 16
const tagLength = 32

const derive = promisify(argon2)

/**
 * Leaves half of the thread pool, and one core, to other work.
 * @param threads in Node's thread pool
 */
export function maxConcurrentHashes(threads: number): number {
  return Math.max(1, Math.min(availableParallelism() - 1, Math.floor(threads / 2)))
}

interface Hash extends PasswordCost {
  parallelism: number
  salt: Buffer
  tag: Buffer
}

export class Argon2Passwords implements Passwords {
  readonly #cost: PasswordCost
  readonly #queue: HashQueue
  /** A hash that is verified for a user who does not exist, so that a refusal takes as long as for a known user. */
  readonly #dummy: Hash

  constructor(cost: PasswordCost, queue: HashQueue) {
    this.#cost = cost
    this.#queue = queue
    this.#dummy = randomHash(cost)
  }

  hash(password: string, origin: HashOrigin): Promise<string> {
    return this.#queue.run(() => this.#compute(password), origin)
  }

  /** @returns the hash of a password that nobody knows */
  unusable(): string {
    return textOf(randomHash(this.#cost))
  }

  hashWhenIdle(password: string, use: (hash: string) => Promise<void>): void {
    this.#queue.runWhenIdle(() => this.#compute(password), use)
  }

  accepts(stored: string): boolean {
    const hash = parse(stored)
    if (hash === null) return false
    const { memory, passes, parallelism, salt, tag } = hash
    return (
      passes >= 1 &&
      parallelism >= 1 &&
      parallelism <= maxLanes &&
      memory >= 8 * parallelism && // RFC 9106, section 3.1
      memory <= Math.max(maxPasswordCost.memory, this.#cost.memory) &&
      workOf(hash) <= Math.max(maxPasswordCost.work, workOf(this.#cost)) &&
      isWithin(salt, saltLengths) &&
      isWithin(tag, tagLengths)
    )
  }

  async verify(password: string, stored: string | null, origin: HashOrigin): Promise<PasswordMatch | null> {
    const prepared = preparePassword(password)
    if (await this.#matches(prepared, stored, origin)) return 'current'
    const former = formerForm(password, prepared)
    return former !== null && (await this.#matches(former, stored, origin)) ? 'former' : null
  }

  async #matches(password: string, stored: string | null, origin: HashOrigin): Promise<boolean> {
    const accepted = stored === null || !this.accepts(stored) ? null : parse(stored)
    const { tag, salt, ...cost } = accepted ?? this.#dummy
    const options = { message: password, nonce: salt, tagLength: tag.length, ...cost }
    const derived = await this.#queue.run(() => derive('argon2id', options), origin)
    const matches = timingSafeEqual(derived, tag)
    return matches && accepted !== null
  }

  needsRehash(stored: string): boolean {
    const hash = parse(stored)
    return (
      hash === null ||
      hash.memory !== this.#cost.memory ||
      hash.passes !== this.#cost.passes ||
      hash.parallelism !== lanes
    )
  }

  async #compute(password: string): Promise<string> {
    const { memory, passes } = this.#cost
    const salt = randomBytes(saltLength)
    const message = preparePassword(password)
    const options = { message, nonce: salt, tagLength, memory, passes, parallelism: lanes }
    const tag = await derive('argon2id', options)
    return textOf({ memory, passes, parallelism: lanes, salt, tag })
  }
}

/** Makes the hash of a password that nobody knows. */
function randomHash(cost: PasswordCost): Hash {
  return { ...cost, parallelism: lanes, salt: randomBytes(saltLength), tag: randomBytes(tagLength) }
}

function textOf({ memory, passes, parallelism, salt, tag }: Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** @returns `null` for text that is not an argon2id hash */
function parse(stored: string): Hash | null {
  const match = pattern.exec(stored)
  if (match === null) return null
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const pattern =
  /^\$argon2id\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,8})\$([A-Za-z0-9+/]{1,100})\$([A-Za-z0-9+/]{1,100})$/

function workOf({ memory, passes }: PasswordCost): number {
  return memory * passes
}

function isWithin({ length }: Buffer, { min, max }: { min: number; max: number }): boolean {
  return length >= min && length <= max
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
