/** What a backup is restored into. */
import { basename, join } from 'node:path'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Database } from '../../database/executor.ts'
import type { Migration } from '../../database/migration.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import { tenantFolder } from '../../tenancy/connection-string.ts'
import { type BackedUpFile, catalogueFile } from './manifest.ts'

export interface RestoreTarget {
  /** The database of the catalogue. */
  shared: DatabaseTarget
  /** Opens a catalogue for reading; it may be empty. */
  inspect: (catalogue: DatabaseTarget) => Promise<{ database: Database }>
  dataDir: string
  secretBox: SecretBox
  /** The folder of the contents of files; `null` if another store has them. */
  contents: string | null
  /** The migrations that this version and its features know. */
  migrations: readonly Migration[]
}

/** @returns the path that a file of the backup gets @throws ServiceError `invalid` */
export function restoredPath({ file }: BackedUpFile, { shared, dataDir }: RestoreTarget): string {
  if (file !== catalogueFile) return join(tenantFolder(dataDir), basename(file))
  if (shared.kind === 'sqlite') return shared.path
  throw new ServiceError(
    'invalid',
    'The backup has an embedded catalogue, but DATABASE_URL names PostgreSQL.',
  )
}
