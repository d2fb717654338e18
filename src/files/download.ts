/** Reads the content of a file, whole or in part. */
import type { Context } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import type { ByteRange } from '../core/file-store.ts'
import type { StoredFile } from './schema.ts'
import { beginTransfer, type FileTransfer } from './transfer.ts'

/**
 * @returns the bytes. The caller must read them to the end, or call `return`.
 * @throws ServiceError `unavailable`; what `beginTransfer` throws
 */
export async function openContent(
  context: Context,
  { id }: StoredFile,
  range: ByteRange,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const { store, counts } = context.shared.files
  const transfer = beginTransfer(context)
  try {
    const chunks = await store.open({ tenantId: context.tenant.id, id }, range)
    return metered(chunks, transfer, (bytes) => {
      counts.downloadedBytes += bytes
    })
  } catch (error) {
    transfer.end()
    throw error
  }
}

/**
 * Passes the bytes on. Each chunk is charged to the budget of the caller, and added to the metric of all downloads. At the
 * end, the transfer frees its place among those in progress.
 */
function metered(
  chunks: AsyncIterableIterator<Uint8Array>,
  transfer: FileTransfer,
  addToMetric: (bytes: number) => void,
): AsyncIterableIterator<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      try {
        const { done, value } = await chunks.next()
        if (done === true) {
          transfer.end()
          return { done, value }
        }
        transfer.charge(value.length)
        addToMetric(value.length)
        return { done: false, value }
      } catch (cause) {
        transfer.end()
        throw refusal('fileNotRead', {}, { cause })
      }
    },
    async return() {
      transfer.end()
      await chunks.return?.()
      return { done: true, value: undefined }
    },
  }
}
