/** Migrates the databases of all tenants: each is opened, migrated and closed. */
import { createHash } from 'node:crypto'
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import type { Database } from '../database/executor.ts'
import { locationOf } from '../database/target.ts'
import { openOwn } from './own-database.ts'
import { type OwnDatabaseReader, type OwnDatabaseTarget, ownDatabaseTargets } from './own-database-targets.ts'
import { inspectPending, type Preparation } from './prepare.ts'
import { findOwnDatabase } from './sql.ts'

export interface MigrationRun extends OwnDatabaseReader, Preparation {
  /** The database of the catalogue. */
  shared: Database
  /** The number of databases that are migrated at a time. */
  parallel: number
  /** Reports pending migrations, and changes nothing. */
  dryRun: boolean
}

export type MigrationOutcome =
  | { kind: 'done'; applied: readonly string[] }
  | { kind: 'pending'; pending: readonly string[]; exists: boolean }
  | { kind: 'failed'; reason: unknown }

/**
 * Migrates each database once, however many tenants it has. A failure does not stop the others.
 * @param report called for each database, in the order in which they finish
 */
export async function migrateTenantDatabases(
  run: MigrationRun,
  report: (tenantId: string, outcome: MigrationOutcome) => void,
): Promise<void> {
  const targets = withoutDuplicates(ownDatabaseTargets(run))
  const work = async (): Promise<void> => {
    for (let next = await targets.next(); !next.done; next = await targets.next()) {
      report(next.value.tenantId, await migrateOne(run, next.value))
    }
  }
  await Promise.all(Array.from({ length: run.parallel }, work))
}

async function migrateOne(run: MigrationRun, own: OwnDatabaseTarget): Promise<MigrationOutcome> {
  const key = foldTenantId(own.tenantId)
  if (own.target === null) return { kind: 'failed', reason: own.failure }
  try {
    if (run.dryRun) return { kind: 'pending', ...(await inspectPending(own.target, run)) }
    const known = await findOwnDatabase(run.catalogue, key)
    if (known === null) return { kind: 'done', applied: [] } // it was moved meanwhile
    const { database, applied } = await openOwn(
      { ...known, key, target: own.target },
      run,
      run.shared,
      'operate',
    )
    await database.close()
    return { kind: 'done', applied }
  } catch (reason) {
    return { kind: 'failed', reason }
  }
}

/** Yields each database once. Remembers digests, not long connection strings: about 60 bytes for each database. */
async function* withoutDuplicates(
  targets: AsyncIterable<OwnDatabaseTarget>,
): AsyncGenerator<OwnDatabaseTarget> {
  const seen = new Set<string>()
  for await (const own of targets) {
    if (own.target !== null) {
      const digest = createHash('sha256').update(locationOf(own.target)).digest('latin1').slice(0, 16)
      if (seen.has(digest)) continue
      seen.add(digest)
    }
    yield own
  }
}
