/**
 * Refuses to start when the data folder has lost the file of its catalogue: a new, empty catalogue would look like a
 * new installation. A marker file, written by the first complete start, distinguishes the two.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Logger } from '../core/context.ts'
import { masterKeyFile } from '../core/encryption/master-key.ts'
import { identityMigration, readIdentity } from '../database/database-identity.ts'
import { type Database, DatabaseUnavailable } from '../database/executor.ts'
import { namesOfApplied } from '../database/migrate/history.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { fileIdentity } from '../database/target.ts'
import { isDatabaseFile, tenantFolder } from '../tenancy/connection-string.ts'
import { bytesOf } from './tenant-size/tenant-sizes.ts'

/**
 * The marker file. Its lines are the path of the catalogue, relative to the data folder, because the folder may be moved,
 * and the id of the installation.
 */
export const initializedMarker = 'initialized'

interface Installation {
  dataDir: string
  /** The database of the catalogue. */
  sharedTarget: DatabaseTarget
}

/**
 * To be called before the file is opened: SQLite creates a missing file, and removes the log of an empty one.
 * @throws DatabaseUnavailable
 */
export function refuseLostFile(installation: Installation): void {
  const { sharedTarget } = installation
  if (sharedTarget.kind !== 'sqlite' || bytesOf(sharedTarget.path) > 0) return
  const log = `${sharedTarget.path}-wal`
  // SQLite writes the first page of a file before its log.
  refuseLostCatalogue(
    installation,
    sharedTarget.path,
    bytesOf(log) > 0 ? `${log} holds data that was written to it` : null,
  )
}

/**
 * To be called before the migrations. Without tables, the file has lost its log or was never complete.
 * @throws DatabaseUnavailable
 */
export async function refuseLostTables(installation: Installation, database: Database): Promise<void> {
  const { sharedTarget } = installation
  if (sharedTarget.kind !== 'sqlite' || (await namesOfApplied(database)).size > 0) return
  refuseLostCatalogue(installation, sharedTarget.path, null)
}

function refuseLostCatalogue({ dataDir }: Installation, path: string, evidence: string | null): void {
  const found = evidence ?? evidenceOf(dataDir, path)
  if (found === null) return
  const remedy = 'Put the file back, or restore a backup with tenantry restore'
  const advice = `For a new installation, first move everything but ${masterKeyFile} out of ${dataDir}`
  throw new DatabaseUnavailable(
    `The database file ${path} is missing or empty, and ${found}. ${remedy}. ${advice}.`,
  )
}

/**
 * To be called before the migrations: the file in the place of the catalogue may be that of another installation.
 * @throws DatabaseUnavailable
 */
export async function refuseForeignCatalogue(
  { dataDir, sharedTarget }: Installation,
  database: Database,
): Promise<void> {
  const marked = sharedTarget.kind === 'sqlite' ? readMarker(dataDir, sharedTarget.path) : null
  if (marked?.id == null) return
  const hasIdentity = (await namesOfApplied(database)).has(identityMigration.name)
  const found = hasIdentity ? ((await readIdentity(database.executor))?.id ?? null) : null
  if (found === null || found === marked.id) return // an installation that has no id yet is accepted
  const place = sharedTarget.kind === 'sqlite' ? sharedTarget.path : ''
  const text = `The database file ${place} is of another installation than the data folder ${dataDir}.`
  const remedy = `Put the right file back, or restore a backup with tenantry restore`
  const advice = `If the file is the right one, remove ${join(dataDir, initializedMarker)}`
  throw new DatabaseUnavailable(`${text} ${remedy}. ${advice}.`)
}

/** The id of the installation to which the data folder belongs; `null` if none is known. */
export function markedInstallation({ dataDir, sharedTarget }: Installation): string | null {
  return sharedTarget.kind === 'sqlite' ? (readMarker(dataDir, sharedTarget.path)?.id ?? null) : null
}

/**
 * To be called when all tables and keys exist. If the marker cannot be written, a later start writes it.
 * @param id of the installation
 */
export function markInitialized({ dataDir, sharedTarget }: Installation, id: string, log: Logger): void {
  if (sharedTarget.kind !== 'sqlite' || readMarker(dataDir, sharedTarget.path)?.id === id) return
  try {
    const text = `${relative(dataDir, sharedTarget.path)}\n${id}\n`
    writeFileSync(join(dataDir, initializedMarker), text, { mode: 0o600, flush: true })
  } catch (error) {
    log.warn({ err: error }, 'data folder not marked as initialized')
  }
}

function evidenceOf(dataDir: string, path: string): string | null {
  if (readMarker(dataDir, path) !== null) return `${dataDir} was initialized before`
  return hasTenants(dataDir, path) ? `${tenantFolder(dataDir)} holds files of tenants` : null
}

/** @returns `null` unless the folder was initialized with this catalogue */
function readMarker(dataDir: string, catalogue: string): { id: string | null } | null {
  try {
    const [path, id = ''] = readFileSync(join(dataDir, initializedMarker), 'utf8').split('\n')
    if (path !== relative(dataDir, catalogue)) return null
    return { id: id === '' ? null : id }
  } catch {
    return null
  }
}

/** @param catalogue the path of the catalogue, which may itself be in the folder of the tenants */
function hasTenants(dataDir: string, catalogue: string): boolean {
  const folder = tenantFolder(dataDir)
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && isDatabaseFile(entry.name))
      .map(({ name }) => join(folder, name))
      .some((path) => bytesOf(path) > 0 && fileIdentity(path) !== fileIdentity(catalogue))
  } catch {
    return false
  }
}
