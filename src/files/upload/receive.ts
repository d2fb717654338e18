/** Receives the content of a file into the folder of incomplete uploads, and compares it with its type meanwhile. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refusal, type ServiceError } from '../../core/errors.ts'
import type { LocalFile } from '../../core/file-store.ts'
import { newId } from '../../core/id.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { checkOf, type KnownFileType } from '../content/type.ts'
import { asUnavailable } from '../store/unavailable.ts'

export interface ReceiveRules {
  folder: string
  type: KnownFileType
  maxBytes: number
  /** Called with the length of each chunk. */
  count(bytes: number): void
}

/**
 * Receives a file and syncs it to the disk. The caller must remove the file. After an error, nothing is left.
 * @throws ServiceError `tooLarge`, `unavailable`, `unsupportedMediaType` for content of another
 *   type, `invalid` without content
 */
export async function receiveFile(
  content: AsyncIterable<Uint8Array>,
  { folder, type, maxBytes, count }: ReceiveRules,
): Promise<LocalFile> {
  const path = join(folder, newId())
  const handle = await asUnavailable(async () => {
    makePrivateFolder(folder)
    return open(path, 'wx+', 0o600)
  })
  try {
    const received = await write(content, handle, { type, maxBytes, count })
    await asUnavailable(() => handle.sync())
    return { path, ...received }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

async function write(
  content: AsyncIterable<Uint8Array>,
  handle: FileHandle,
  { type, maxBytes, count }: Omit<ReceiveRules, 'folder'>,
): Promise<Omit<LocalFile, 'path'>> {
  const check = checkOf(type)
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    if (!check.take(chunk)) throw otherType(type)
    digest.update(chunk)
    count(chunk.length)
    await asUnavailable(() => handle.writeFile(chunk))
    freeMemory(chunk)
  }
  if (size === 0) throw refusal('fileEmpty')
  if (!(await check.finish(handle, size))) throw otherType(type)
  return { size, sha256: digest.digest('hex') }
}

/**
 * Frees the chunk at once, because tens of megabytes would add up before the garbage collector frees them. A chunk
 * that is only a part of a buffer is left.
 */
function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

export function tooLarge(maxBytes: number): ServiceError {
  return refusal('fileTooLarge', { limit: maxBytes })
}

function otherType(type: string): ServiceError {
  return refusal('otherFileType', { type })
}
