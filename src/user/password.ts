/** Passwords: argon2id in the form of PHC strings, hashed on the thread pool. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * 32 MiB, 2 passes, 1 lane; OWASP asks for 19 MiB at least. From this size on glibc gives the memory back to the
 * system after each hash; of less it keeps some for every thread that has ever hashed.
 */
const current = { memory: 32_768, passes: 2, parallelism: 1 }
const saltLength = 16
const tagLength = 32

const derive = promisify(argon2)

interface Hash {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  tag: Buffer
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength)
  const tag = await derive('argon2id', { message: password, nonce: salt, tagLength, ...current })
  const { memory, passes, parallelism } = current
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** @param stored a PHC string; `null`, for a user that does not exist, takes the same time and fails */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const hash = stored === null ? nobody : parse(stored)
  const { memory, passes, parallelism, salt, tag } = hash
  const options = { message: password, nonce: salt, tagLength: tag.length, memory, passes, parallelism }
  const matches = timingSafeEqual(await derive('argon2id', options), tag)
  return matches && stored !== null
}

/** Whether the hash was made with weaker or other parameters than today's. */
export function needsRehash(stored: string): boolean {
  const { memory, passes, parallelism } = parse(stored)
  return memory !== current.memory || passes !== current.passes || parallelism !== current.parallelism
}

const nobody: Hash = { ...current, salt: randomBytes(saltLength), tag: randomBytes(tagLength) }

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
