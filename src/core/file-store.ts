/** The files of the service: their store, their links and their bounds. */
import type { ConcurrencyLimiter } from './limits/concurrency-limiter.ts'

/** Names the content of a file in the store. */
export interface FileKey {
  tenantId: string
  id: string
}

/** A complete file on this machine, whose content is on the disk. */
export interface LocalFile {
  path: string
  size: number
  /** The digest of the content, in hex. */
  sha256: string
}

/** The range from the first byte to the last one. */
export interface ByteRange {
  start: number
  end: number
}

/** Where the contents of files are. A content never changes. */
export interface FileStore {
  /** Stores all of it, or nothing. It may move the file. @throws ServiceError `unavailable` */
  put(key: FileKey, file: LocalFile): Promise<void>
  /**
   * @param range not empty
   * @returns the bytes, which the caller reads to the end or closes with `return`
   * @throws ServiceError `unavailable`, also for a content that is not there
   */
  open(key: FileKey, range: ByteRange): Promise<AsyncIterableIterator<Uint8Array>>
  /**
   * To be called after the row is gone: a backup may still read the content of a file that has one.
   * @returns whether the content is gone, or false while a backup keeps all contents @throws ServiceError `unavailable`
   */
  remove(key: FileKey): Promise<boolean>
  /** Removes all contents of a tenant. @throws ServiceError `unavailable`, also while a backup keeps all contents */
  removeTenant(tenantId: string): Promise<void>
}

/** The files of the service, for every context. */
export interface Files {
  readonly store: FileStore
  /** The folder of incomplete uploads. */
  readonly folder: string
  /** The public address of the service, which links begin with. */
  readonly baseUrl: string
  readonly maxBytes: number
  readonly quotaBytes: number
  readonly takesVideos: boolean
  readonly linkMs: number
  readonly unusedMs: number
  /** Limits the concurrent uploads and downloads. */
  readonly transfers: ConcurrencyLimiter
  readonly counts: FileCounts
}

/** Counters since the start of the process. */
export interface FileCounts {
  uploaded: number
  uploadedBytes: number
  downloadedBytes: number
  refused: number
  removed: number
}
