/** Copies and syncs files, and computes digests that prove files and manifests complete. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../core/errors.ts'

export interface Digest {
  bytes: number
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string
}

export async function digestOf(path: string): Promise<Digest> {
  const meter = new Meter()
  for await (const chunk of createReadStream(path)) meter.add(chunk)
  return meter.result()
}

/** @param to must not exist; only its owner can read it @returns the digest of the copied bytes */
export async function copyFile(from: string, to: string): Promise<Digest> {
  const meter = new Meter()
  const metering = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      meter.add(chunk)
      done(null, chunk)
    },
  })
  await pipeline(createReadStream(from), metering, createWriteStream(to, { flags: 'wx', mode: 0o600 }))
  await syncToDisk(to)
  return meter.result()
}

/** @param path a file, or a folder, whose entries then survive a power failure */
export async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

/**
 * @throws ServiceError `unavailable` with the message of the file system, e.g. for a full disk; other errors as they
 *   are
 */
export function rethrowFileError(error: unknown): never {
  if (!(error instanceof Error && 'syscall' in error)) throw error
  throw new ServiceError('unavailable', `${error.message}.`, { cause: error })
}

class Meter {
  readonly #hash = createHash('sha256')
  #bytes = 0

  add(chunk: Buffer): void {
    this.#hash.update(chunk)
    this.#bytes += chunk.length
  }

  result(): Digest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}

/** @returns JSON whose last member is a digest of the others */
export function digestedText(content: object): string {
  const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `${JSON.stringify({ ...content, sha256 }, null, 2)}\n`
}

/** @param read checks the shape @returns `null` when the digest does not match @throws what `read` throws */
export function readDigested<T extends object>(text: string, read: (value: unknown) => T): T | null {
  const content = read(JSON.parse(text))
  return digestedText(content) === text ? content : null
}
