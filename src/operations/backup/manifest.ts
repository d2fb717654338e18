/** The manifest of a backup: its files, and digests that prove them complete. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { ServiceError } from '../../core/errors.ts'
import { inputReader } from '../../core/schema/input.ts'
import { Nullable, Timestamp } from '../../core/schema/schema.ts'
import { Count, PlainLine, Sha256 } from '../../core/schema/stored.ts'
import { tenantIdPattern } from '../../core/tenant/tenant-id.ts'
import { digestedText, readDigested } from './file.ts'

export const manifestFile = 'manifest.json'
/** The file of the catalogue in a backup. The files of tenants are in a folder beside it. */
export const catalogueFile = 'catalogue.db'
export const tenantsFolder = 'tenants'

const digest = Sha256
/** A text that is shown on a terminal: one line without control characters. */
const line = PlainLine(200)

const BackedUpFile = Type.Object({
  /** Relative to the folder of the backup, and always inside it. */
  file: Type.String({ pattern: '^(catalogue\\.db|tenants/[a-z0-9][a-z0-9_.-]{0,199})$' }),
  /** The tenants whose rows are in the file. The catalogue has the rows of all others. Their ids name folders. */
  tenants: Type.Array(Type.String({ maxLength: 64, pattern: tenantIdPattern })),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: digest,
  rows: Type.Record(line, Count),
  migrations: Type.Array(line),
})

const BackedUpContents = Type.Object({
  /** The number of contents of tenants' files, and their size. */
  count: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** The digest of the list that names them. */
  sha256: digest,
})

const BackupManifest = Type.Object({
  format: Type.Literal(1),
  version: line,
  startedAt: Timestamp,
  finishedAt: Timestamp,
  /** The id of the master key; it reveals nothing about the key. */
  masterKey: line,
  databases: Type.Array(BackedUpFile),
  /** Absent if contents are in another store, and in older backups. */
  files: Type.Optional(BackedUpContents),
  notIncluded: Type.Array(Type.Object({ tenant: Nullable(line), reason: PlainLine(2000) })),
})

export type BackedUpFile = Static<typeof BackedUpFile>
export type BackedUpContents = Static<typeof BackedUpContents>
export type BackupManifest = Static<typeof BackupManifest>

/** Whether the backup has the catalogue. That of one tenant, or of an installation on PostgreSQL, has none. */
export function isWhole({ databases }: Pick<BackupManifest, 'databases'>): boolean {
  return databases.some(({ file }) => file === catalogueFile)
}

const read = inputReader(BackupManifest)

export function manifestText(manifest: BackupManifest): string {
  return digestedText(manifest)
}

/** Identifies a backup, wherever its folder is. */
export function backupId(manifest: BackupManifest): string {
  return hash('sha256', manifestText(manifest))
}

/** @throws ServiceError `invalid` when the manifest is missing or damaged */
export function readManifest(folder: string): BackupManifest {
  const path = join(folder, manifestFile)
  const text = readText(path)
  try {
    const manifest = readDigested(text, read)
    if (manifest !== null) return manifest
  } catch (error) {
    throw new ServiceError('invalid', `${path} is damaged, or of another version.`, { cause: error })
  }
  throw new ServiceError('invalid', `${path} is damaged: it does not match its digest.`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ServiceError('invalid', `The backup is incomplete: ${path} cannot be read.`, { cause: error })
  }
}
