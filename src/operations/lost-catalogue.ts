/**
 * Refuses to start when the data folder has lost the file of its catalogue: a new, empty catalogue would look like a
 * new installation. A marker file, written by the first complete start, distinguishes the two.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Logger } from '../core/context.ts'
import { masterKeyFile } from '../core/encryption/master-key.ts'
import { type Database, DatabaseUnavailable } from '../database/executor.ts'
import { namesOfApplied } from '../database/migrate/history.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { fileIdentity } from '../database/target.ts'
import { tenantFolder } from '../tenancy/connection-string.ts'

/** The marker file. It holds the path of the catalogue relative to the data folder, because the folder may be moved. */
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
  if (sharedTarget.kind !== 'sqlite' || sizeOf(sharedTarget.path) > 0) return
  const log = `${sharedTarget.path}-wal`
  // SQLite writes the first page of a file before its log.
  refuseLostCatalogue(
    installation,
    sharedTarget.path,
    sizeOf(log) > 0 ? `${log} holds data that was written to it` : null,
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

/** To be called when all tables and keys exist. If the marker cannot be written, a later start writes it. */
export function markInitialized({ dataDir, sharedTarget }: Installation, log: Logger): void {
  if (sharedTarget.kind !== 'sqlite' || isMarked(dataDir, sharedTarget.path)) return
  try {
    const text = `${relative(dataDir, sharedTarget.path)}\n`
    writeFileSync(join(dataDir, initializedMarker), text, { mode: 0o600, flush: true })
  } catch (error) {
    log.warn({ err: error }, 'data folder not marked as initialized')
  }
}

function evidenceOf(dataDir: string, path: string): string | null {
  if (isMarked(dataDir, path)) return `${dataDir} was initialized before`
  return hasTenants(dataDir, path) ? `${tenantFolder(dataDir)} holds files of tenants` : null
}

function isMarked(dataDir: string, path: string): boolean {
  try {
    return readFileSync(join(dataDir, initializedMarker), 'utf8').trim() === relative(dataDir, path)
  } catch {
    return false
  }
}

/** @param catalogue its path; it may be in the folder of the tenants */
function hasTenants(dataDir: string, catalogue: string): boolean {
  try {
    const paths = readdirSync(tenantFolder(dataDir)).map((name) => join(tenantFolder(dataDir), name))
    return paths.some(
      (path) => path.endsWith('.db') && sizeOf(path) > 0 && fileIdentity(path) !== fileIdentity(catalogue),
    )
  } catch {
    return false
  }
}

/** 0 for a missing file. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
