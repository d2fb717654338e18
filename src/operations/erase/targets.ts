/** The databases that may hold rows of a tenant: its own, files left by a move, and the shared one. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, DedicatedDatabase, Tenant } from '../../core/context.ts'
import { registry } from '../../core/tenant/directory.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { databaseExists } from '../../database/open.ts'
import { servingSuffix } from '../../database/serving-lock.ts'
import { openSqliteReadOnly } from '../../database/sqlite/read-only.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import { isSameTarget } from '../../database/target.ts'
import { isDatabaseFile, tenantFolder } from '../../tenancy/connection-string.ts'
import { ownDatabaseTargets } from '../../tenancy/own-database-targets.ts'
import { findOwnDatabase } from '../../tenancy/sql.ts'
import { allTenantTables, type TableShape } from '../rows/shape.ts'
import { hasOtherTenants, occupiedTables } from '../rows/target.ts'

export interface ErasureTarget {
  dedicated: DedicatedDatabase
  shapes: readonly TableShape[]
  isShared: boolean
  /** No other tenant is assigned to it or has rows in it. */
  isExclusive: boolean
}

export interface ErasureTargets {
  /** The shared database last. */
  all: readonly ErasureTarget[]
  /** Files that cannot be read. */
  unread: readonly string[]
}

/** The caller closes them. @throws DatabaseUnavailable, CannotDecrypt */
export async function openTargets(
  context: Context,
  tenant: Tenant,
  shared: DedicatedDatabase,
): Promise<ErasureTargets> {
  const { own, ofOthers, isAnyUnknown } = await readTargets(context, tenant)
  const { found, unread } = await findLeftoverFiles(context, tenant, own)
  const all: ErasureTarget[] = []
  try {
    const isThere = own !== null && !(await isErased(context, tenant, own))
    for (const target of isThere ? [own, ...found] : found) {
      const options = { allowUnknownTables: true, ...(target === own && { tenantId: tenant.id }) }
      const dedicated = await context.shared.tenantDatabases.openDedicated(target, options)
      // Added before anything can fail, so that it is closed; the shapes follow.
      const opened = { dedicated, shapes: [] as readonly TableShape[], isShared: false, isExclusive: false }
      all.push(opened)
      opened.shapes = await allTenantTables(dedicated.database.executor)
      const isOfOthers = isAnyUnknown || ofOthers.some((other) => isSameTarget(other, target))
      opened.isExclusive =
        !isOfOthers && !(await hasOtherTenants(dedicated.database, opened.shapes, tenant.id))
    }
    const shapes = await allTenantTables(shared.database.executor)
    return { all: [...all, { dedicated: shared, shapes, isShared: true, isExclusive: false }], unread }
  } catch (error) {
    await closeTargets(all)
    throw error
  }
}

/** Closes all but the shared database. */
export async function closeTargets(targets: readonly ErasureTarget[]): Promise<void> {
  for (const { dedicated, isShared } of targets) if (!isShared) await dedicated.database.close()
}

/** @returns `isAnyUnknown` when a connection string of another tenant cannot be decrypted and may name any database */
async function readTargets(context: Context, tenant: Tenant) {
  const { secretBox, tenantDatabases } = context.shared
  const reader = { catalogue: registry(context), secretBox, dataDir: tenantDatabases.dataDir }
  let own: DatabaseTarget | null = null
  let isAnyUnknown = false
  const ofOthers: DatabaseTarget[] = []
  for await (const { tenantId, target, failure } of ownDatabaseTargets(reader)) {
    if (tenantId === tenant.id) {
      if (target === null) throw failure
      own = target
    } else if (target === null) isAnyUnknown = true
    else ofOthers.push(target)
  }
  return { own, ofOthers, isAnyUnknown }
}

/** Whether an earlier run has deleted the database, or it was never created. A lost one may still exist elsewhere. */
async function isErased(context: Context, tenant: Tenant, target: DatabaseTarget): Promise<boolean> {
  if (await isPresent(target)) return false
  return (
    tenant.isBeingErased ||
    (await findOwnDatabase(registry(context), foldTenantId(tenant.id)))?.known?.id === null
  )
}

/** Any file that remains of a SQLite database counts, because the erasure has to remove it. */
async function isPresent(target: DatabaseTarget): Promise<boolean> {
  if (target.kind === 'sqlite') return sqliteFiles(target.path).some((file) => existsSync(file))
  return databaseExists(target)
}

/** A database and the files beside it, in the order in which they may be deleted. */
export function sqliteFiles(path: string): string[] {
  return ['', '-wal', '-shm', servingSuffix].map((ending) => `${path}${ending}`)
}

/** Finds files of tenants that hold rows of the tenant: a move leaves its source file if no other tenant uses it. */
async function findLeftoverFiles({ shared }: Context, tenant: Tenant, own: DatabaseTarget | null) {
  const folder = tenantFolder(shared.tenantDatabases.dataDir)
  const found: DatabaseTarget[] = []
  const unread: string[] = []
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  for (const { name } of entries.filter((entry) => entry.isFile() && isDatabaseFile(entry.name))) {
    const target = { kind: 'sqlite', path: join(folder, name) } as const
    if (own !== null && isSameTarget(own, target)) continue
    try {
      if (await holdsRows(target.path, tenant.id)) found.push(target)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      unread.push(target.path)
    }
  }
  return { found, unread }
}

async function holdsRows(path: string, tenantId: string): Promise<boolean> {
  await using database = openSqliteReadOnly(path)
  const shapes = await allTenantTables(database.executor)
  return (await occupiedTables(database, shapes, tenantId)).length > 0
}
