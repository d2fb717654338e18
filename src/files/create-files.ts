/** Makes the part of a service that keeps files, by its settings. */
import { join } from 'node:path'
import type { FileStore, Files } from '../core/file-store.ts'
import { ConcurrencyLimiter } from '../core/limits/concurrency-limiter.ts'
import { type Config, ConfigError } from '../core/settings/config.ts'
import { credentialSource } from './store/credentials.ts'
import { LocalStore } from './store/local-store.ts'
import { regionOf, S3Store } from './store/s3-store.ts'
import { maxTransfers } from './transfer.ts'

const minuteMs = 60_000
/** The folder of incomplete uploads. No id of a tenant begins with a dot. */
const uploads = '.uploads'

/** @throws ConfigError for a store without credentials */
export function createFiles(config: Config): Files {
  const folder = storeFolder(config)
  return {
    store: storeOf(config, folder),
    folder: join(folder, uploads),
    baseUrl: config.baseUrl,
    maxBytes: config.filesMaxBytes,
    quotaBytes: config.filesQuotaBytes,
    takesVideos: config.filesVideo,
    linkMs: config.filesLinkMinutes * minuteMs,
    unusedMs: config.filesUnusedHours * 60 * minuteMs,
    transfers: new ConcurrencyLimiter(maxTransfers),
    counts: { uploaded: 0, uploadedBytes: 0, downloadedBytes: 0, refused: 0, removed: 0 },
  }
}

/** The folder of the contents, and of incomplete uploads. With `FILES_URL`, the contents are in that store instead. */
export function storeFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'files')
}

function storeOf(config: Config, folder: string): FileStore {
  const { filesUrl: url } = config
  if (url === null) return new LocalStore(folder)
  const source = credentialSource(config, regionOf(url))
  if (source === null)
    throw new ConfigError([
      'FILES_URL: needs FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY, or the credentials of a role',
    ])
  return new S3Store({ url, source })
}
