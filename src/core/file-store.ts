/** The interface of the store of tenants' files, and the limits of uploads. */
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

/** A store of the contents of files, such as a folder. The content of a file never changes. */
export interface FileStore {
  /** Stores the whole file or nothing. It may move the file away. @throws ServiceError `unavailable` */
  put(key: FileKey, file: LocalFile): Promise<void>
  /**
   * @param range not empty
   * @returns the bytes, which the caller reads to the end or closes with `return`
   * @throws ServiceError `unavailable`, also if the content is missing
   */
  open(key: FileKey, range: ByteRange): Promise<AsyncIterableIterator<Uint8Array>>
  /**
   * Removes a content. The row of its file must have been deleted before: a backup reads the contents of all rows.
   * @returns `false` while a backup runs, during which no content is removed @throws ServiceError `unavailable`
   */
  remove(key: FileKey): Promise<boolean>
  /** Removes all contents of a tenant. @throws ServiceError `unavailable`, also while a backup runs */
  removeTenant(tenantId: string): Promise<void>
}

/** The files of the service, for every context. */
export interface Files {
  readonly store: FileStore
  /** The folder of incomplete uploads. */
  readonly folder: string
  /** The public address of the service, with which the links of files begin. */
  readonly baseUrl: string
  readonly maxBytes: number
  readonly quotaBytes: number
  readonly takesVideos: boolean
  /** How long a signed link of a file is valid. */
  readonly linkMs: number
  /** How long an uploaded file is kept while no row refers to it. */
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
