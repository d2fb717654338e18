/** Keeps files in a folder of this machine, each tenant's in a folder of its own. */
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { refusal } from '../../core/errors.ts'
import type { ByteRange, FileKey, FileStore, LocalFile } from '../../core/file-store.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { areContentsKept } from './content-lock.ts'
import { contentName, folderName } from './content-name.ts'
import { requireInside } from './inside.ts'
import { asUnavailable } from './unavailable.ts'

const chunkBytes = 64 * 1024

export class LocalStore implements FileStore {
  readonly #folder: string

  /** @param folder it must be on the same file system as the files that are put, because they are renamed */
  constructor(folder: string) {
    this.#folder = folder
  }

  async put(key: FileKey, { path }: LocalFile): Promise<void> {
    const target = pathOfContent(this.#folder, key)
    const folder = dirname(target)
    await asUnavailable(async () => {
      const isFirst = !existsSync(folder)
      makePrivateFolder(folder)
      await requireInside(this.#folder, folder)
      await rename(path, target)
      await syncFolder(folder)
      if (!isFirst) return
      await syncFolder(this.#folder)
      await syncFolder(dirname(this.#folder))
    })
  }

  async open(key: FileKey, range: ByteRange): Promise<AsyncIterableIterator<Uint8Array>> {
    const path = pathOfContent(this.#folder, key)
    const handle = await asUnavailable(async () => {
      await requireInside(this.#folder, path)
      return open(path, 'r')
    })
    const end = async () => {
      await handle.close()
      return { done: true, value: undefined } as const
    }
    let at = range.start
    const bytes: AsyncIterableIterator<Uint8Array> = {
      [Symbol.asyncIterator]: () => bytes,
      async next() {
        const length = Math.min(chunkBytes, range.end + 1 - at)
        if (length <= 0) return end()
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at)
        if (bytesRead === 0) {
          await handle.close()
          throw new Error(`The content of the file ${key.id} is shorter than its row says.`)
        }
        at += bytesRead
        return { done: false, value: buffer.subarray(0, bytesRead) }
      },
      return: end,
    }
    return bytes
  }

  async remove(key: FileKey): Promise<boolean> {
    const path = pathOfContent(this.#folder, key)
    return asUnavailable(async () => {
      if (!existsSync(path)) return true
      await requireInside(this.#folder, dirname(path))
      if (areContentsKept(this.#folder)) return false
      await rm(path, { force: true })
      await syncFolder(dirname(path))
      return true
    })
  }

  async removeTenant(tenantId: string): Promise<void> {
    const folder = folderOfTenant(this.#folder, tenantId)
    const isKept = await asUnavailable(async () => {
      if (existsSync(folder) && areContentsKept(this.#folder)) return true
      await rm(folder, { recursive: true, force: true })
      return false
    })
    if (isKept) throw refusal('backupInProgress')
  }
}

/** @param folder of the store @throws Error for a tenant id that is not valid */
export function folderOfTenant(folder: string, tenantId: string): string {
  return join(folder, folderName(tenantId))
}

/** @param folder of the store @throws Error for ids that are not valid */
export function pathOfContent(folder: string, key: FileKey): string {
  return join(folder, contentName(key))
}

/** Writes the names in a folder to the disk. Without this, a crash could lose a file that has just got its name. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
