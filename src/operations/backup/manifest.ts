/** The manifest of a backup: what is in it, and how it is known to be whole. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { ServiceError } from '../../core/errors.ts'
import { inputReader } from '../../core/schema/input.ts'
import { digestedText, readDigested } from './file.ts'

export const manifestFile = 'manifest.json'
/** The catalogue's file in a backup; those of tenants are in a folder beside it. */
export const catalogueFile = 'catalogue.db'
export const tenantsFolder = 'tenants'

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

const BackedUpFile = Type.Object({
  /** From the folder of the backup. No path leads out of it. */
  file: Type.String({ pattern: '^(catalogue\\.db|tenants/[a-z0-9][a-z0-9_.-]*)$' }),
  /** Those who have their rows there; the catalogue has those of everybody else. */
  tenants: Type.Array(Type.String()),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: digest,
  rows: Type.Record(Type.String(), Type.Integer()),
  migrations: Type.Array(Type.String()),
})

const BackupManifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String(),
  startedAt: Type.String(),
  finishedAt: Type.String(),
  /** Tells one master key from another, and nothing about either. */
  masterKey: Type.String(),
  databases: Type.Array(BackedUpFile),
  notIncluded: Type.Array(
    Type.Object({ tenant: Type.Union([Type.String(), Type.Null()]), reason: Type.String() }),
  ),
})

export type BackedUpFile = Static<typeof BackedUpFile>
export type BackupManifest = Static<typeof BackupManifest>

const read = inputReader(BackupManifest)

export function manifestText(manifest: BackupManifest): string {
  return digestedText(manifest)
}

/** @throws ServiceError `invalid` when the folder has no manifest, or it is not as it was written */
export function readManifest(folder: string): BackupManifest {
  const path = join(folder, manifestFile)
  const text = readText(path)
  try {
    const manifest = readDigested(text, read)
    if (manifest !== null) return manifest
  } catch (error) {
    throw new ServiceError('invalid', `${path} is damaged, or not of this version.`, { cause: error })
  }
  throw new ServiceError('invalid', `${path} is damaged: it does not match its digest.`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ServiceError('invalid', `There is no whole backup: ${path} cannot be read.`, { cause: error })
  }
}
