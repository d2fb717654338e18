/** Takes the contents of a tenant's files into an archive, and from there into the store of another installation. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { allFiles } from '../../files/all-files.ts'
import { isFileType } from '../../files/content/type.ts'
import { receiveFile } from '../../files/upload/receive.ts'
import type { OpenedArchive } from './open.ts'
import { createFileParts, readFileParts, writeFilePart } from './rows/file-part.ts'

const partBytes = 1024 * 1024

/** @returns the number of files @throws ServiceError `unavailable` for a content that cannot be read */
export async function archiveFiles({ shared }: Context, draft: Database, tenantId: string): Promise<number> {
  await createFileParts(draft)
  let count = 0
  for await (const { id, size, sha256 } of allFiles(new TenantData(tenantId, draft.executor))) {
    const content = await shared.files.store.open({ tenantId, id }, { start: 0, end: size - 1 })
    const digest = createHash('sha256')
    let position = 0
    for await (const bytes of inParts(content)) {
      digest.update(bytes)
      await writeFilePart(draft, { file: id, position: position++, bytes })
    }
    if (digest.digest('hex') !== sha256)
      throw new ServiceError('unavailable', `The content of the file ${id} is damaged, or was just deleted.`)
    count++
  }
  return count
}

/**
 * Called before the tenant is registered, so that nobody sees a row whose content is not there.
 * @throws ServiceError `invalid` for a damaged content
 */
export async function restoreFiles({ shared }: Context, { copy, manifest }: OpenedArchive): Promise<void> {
  const { folder, store } = shared.files
  const tenantId = manifest.tenant.id
  for await (const { id, type, size, sha256 } of allFiles(new TenantData(tenantId, copy.executor))) {
    const content = readFileParts(copy.executor, id)
    const damaged = new ServiceError('invalid', `The content of the file ${id} in the archive is damaged.`)
    if (!isFileType(type)) throw damaged
    const received = await receiveFile(content, { folder, type, maxBytes: size, count: () => undefined })
    try {
      if (received.sha256 !== sha256) throw damaged
      await store.put({ tenantId, id }, received)
    } finally {
      await rm(received.path, { force: true })
    }
  }
}

async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    length += chunk.length
    if (length < partBytes) continue
    yield Buffer.concat(chunks)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks)
}
