/** The files of a service, by its settings. */
import { join } from 'node:path'
import type { Files } from '../core/file-store.ts'
import { ConcurrencyLimiter } from '../core/limits/concurrency-limiter.ts'
import type { Config } from '../core/settings/config.ts'
import { LocalStore } from './store/local-store.ts'
import { S3Store } from './store/s3-store.ts'

const minuteMs = 60_000
/** Begins with a dot, as no tenant does. */
const uploads = '.uploads'

export function createFiles({ dataDir, baseUrl, files }: Config): Files {
  const { storeUrl: url, accessKeyId, secretAccessKey, maxBytes, quotaBytes } = files
  const folder = join(dataDir, 'files')
  return {
    store: url === null ? new LocalStore(folder) : new S3Store({ url, accessKeyId, secretAccessKey }),
    folder: join(folder, uploads),
    baseUrl,
    maxBytes,
    quotaBytes,
    linkMs: files.linkMinutes * minuteMs,
    unusedMs: files.unusedHours * 60 * minuteMs,
    transfers: new ConcurrencyLimiter(),
    counts: { uploaded: 0, uploadedBytes: 0, downloadedBytes: 0, refused: 0, removed: 0 },
  }
}
