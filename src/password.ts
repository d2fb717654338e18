/** Passwords: argon2id in the form of PHC strings, hashed on the thread pool, a few at a time. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { HashOrigin, HashQueue } from './hashing/hash-queue.ts'

/** What one hash takes. */
export interface PasswordCost {
  /** In KiB. */
  memory: number
  passes: number
}

/**
 * 32 MiB, 2 passes, 1 lane; OWASP asks for 19 MiB at least. From this size on glibc gives the memory back to the
 * system after each hash; of less it keeps some for every thread that has ever hashed.
 */
export const usualPasswordCost: PasswordCost = { memory: 32_768, passes: 2 }

const lanes = 1
const saltLength = 16
const tagLength = 32

const derive = promisify(argon2)

/**
 * Half of the pool stays free for everything else that uses it, and no core computes two hashes at once.
 * @param threads of Node's pool
 */
export function maxConcurrentHashes(threads: number): number {
  return Math.max(1, Math.min(availableParallelism() - 1, Math.floor(threads / 2)))
}

interface Hash extends PasswordCost {
  parallelism: number
  salt: Buffer
  tag: Buffer
}

export class Passwords {
  readonly #cost: PasswordCost
  readonly #queue: HashQueue
  readonly #nobody: Hash

  constructor(cost: PasswordCost, queue: HashQueue) {
    this.#cost = cost
    this.#queue = queue
    this.#nobody = { ...cost, parallelism: lanes, salt: randomBytes(saltLength), tag: randomBytes(tagLength) }
  }

  /** @throws ServiceError `overloaded` */
  hash(password: string, origin: HashOrigin): Promise<string> {
    return this.#queue.run(() => this.#compute(password), origin)
  }

  /** Hashes when nobody waits for a hash, and not at all when too much is to be hashed. */
  hashWhenIdle(password: string, use: (hash: string) => Promise<void>): void {
    this.#queue.runWhenIdle(() => this.#compute(password), use)
  }

  /**
   * @param stored a PHC string; `null`, for a user that does not exist, takes the same time and fails
   * @throws ServiceError `overloaded`
   */
  async verify(password: string, stored: string | null, origin: HashOrigin): Promise<boolean> {
    const { tag, salt, ...cost } = stored === null ? this.#nobody : parse(stored)
    const options = { message: password, nonce: salt, tagLength: tag.length, ...cost }
    const derived = await this.#queue.run(() => derive('argon2id', options), origin)
    const matches = timingSafeEqual(derived, tag)
    return matches && stored !== null
  }

  /** Whether the hash was made with weaker or other parameters than today's. */
  needsRehash(stored: string): boolean {
    const hash = parse(stored)
    return (
      hash.memory !== this.#cost.memory || hash.passes !== this.#cost.passes || hash.parallelism !== lanes
    )
  }

  async #compute(password: string): Promise<string> {
    const { memory, passes } = this.#cost
    const salt = randomBytes(saltLength)
    const options = { message: password, nonce: salt, tagLength, memory, passes, parallelism: lanes }
    const tag = await derive('argon2id', options)
    return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`
  }
}

function parse(stored: string): Hash {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (match === null) throw new Error('A stored password hash cannot be read.')
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
