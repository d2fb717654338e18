/**
 * A data folder that has lost the file of its catalogue is not a new one: an empty catalogue in its place would look like
 * an installation without users. A mark, made when the first start is complete, tells the two dedicated.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Logger } from '../core/context.ts'
import { masterKeyFile } from '../core/encryption/master-key.ts'
import { type Database, DatabaseUnavailable } from '../database/executor.ts'
import { appliedMigrations } from '../database/migration.ts'
import { fileIdentity } from '../database/same-target.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { tenantFolder } from '../tenancy/connection-string.ts'

/** Holds no data but the place of the catalogue, relative to the folder: the folder may be moved. */
export const initializedMark = 'initialized'

interface Installation {
  dataDir: string
  /** Of the catalogue. */
  sharedTarget: DatabaseTarget
}

/**
 * Before the file is opened: SQLite makes one that is missing, and removes the log of one that is empty.
 * @throws DatabaseUnavailable
 */
export function refuseLostFile(place: Installation): void {
  const { sharedTarget } = place
  if (sharedTarget.kind !== 'sqlite' || sizeOf(sharedTarget.path) > 0) return
  const log = `${sharedTarget.path}-wal`
  // A file gets its first page before it gets a log.
  refuseLostCatalogue(
    place,
    sharedTarget.path,
    sizeOf(log) > 0 ? `${log} holds what was written to it` : null,
  )
}

/** Before a file is migrated that holds no tables: its log was lost, or it was never complete. @throws DatabaseUnavailable */
export async function refuseLostTables(place: Installation, database: Database): Promise<void> {
  const { sharedTarget } = place
  if (sharedTarget.kind !== 'sqlite' || (await appliedMigrations(database)).size > 0) return
  refuseLostCatalogue(place, sharedTarget.path, null)
}

function refuseLostCatalogue({ dataDir }: Installation, path: string, sign: string | null): void {
  const evidence = sign ?? evidenceOf(dataDir, path)
  if (evidence === null) return
  const way = 'Put the file back or restore a backup (tenantry restore)'
  const advice = `for a new installation, move everything but ${masterKeyFile} out of ${dataDir} first`
  throw new DatabaseUnavailable(
    `The database file ${path} is missing or empty, and ${evidence}. ${way}; ${advice}.`,
  )
}

/** When all tables and keys are there. A disk that does not take the mark now takes it at a later start. */
export function markInitialized({ dataDir, sharedTarget }: Installation, log: Logger): void {
  if (sharedTarget.kind !== 'sqlite' || isMarked(dataDir, sharedTarget.path)) return
  try {
    const text = `${relative(dataDir, sharedTarget.path)}\n`
    writeFileSync(join(dataDir, initializedMark), text, { mode: 0o600, flush: true })
  } catch (error) {
    log.warn({ err: error }, 'the data folder could not be marked as initialized')
  }
}

function evidenceOf(dataDir: string, path: string): string | null {
  if (isMarked(dataDir, path)) return `${dataDir} was initialized before`
  return hasTenants(dataDir, path) ? `${tenantFolder(dataDir)} holds files of tenants` : null
}

function isMarked(dataDir: string, path: string): boolean {
  try {
    return readFileSync(join(dataDir, initializedMark), 'utf8').trim() === relative(dataDir, path)
  } catch {
    return false
  }
}

/** @param catalogue may be among them by its place */
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

/** 0 for a file that is not there. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
