/** Migrates the databases of all tenants: each is opened, migrated and closed. */
import { createHash } from 'node:crypto'
import { locationOf } from '../database/target.ts'
import { type OwnDatabaseReader, type OwnDatabaseTarget, ownDatabaseTargets } from './own-database-targets.ts'
import { inspectPending, openPrepared, type Preparation } from './prepare.ts'

export interface MigrationWalk extends OwnDatabaseReader, Preparation {
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
  walk: MigrationWalk,
  report: (tenantId: string, outcome: MigrationOutcome) => void,
): Promise<void> {
  const places = eachOnce(ownDatabaseTargets(walk))
  const work = async (): Promise<void> => {
    for (let next = await places.next(); !next.done; next = await places.next()) {
      report(next.value.tenantId, await migrateOne(walk, next.value))
    }
  }
  await Promise.all(Array.from({ length: walk.parallel }, work))
}

async function migrateOne(walk: MigrationWalk, place: OwnDatabaseTarget): Promise<MigrationOutcome> {
  if (place.target === null) return { kind: 'failed', reason: place.failure }
  try {
    if (walk.dryRun) return { kind: 'pending', ...(await inspectPending(place.target, walk)) }
    const { database, applied } = await openPrepared(place.target, walk)
    await database.close()
    return { kind: 'done', applied }
  } catch (reason) {
    return { kind: 'failed', reason }
  }
}

/** Remembers digests rather than long connection strings: about 60 bytes for each database. */
async function* eachOnce(places: AsyncIterable<OwnDatabaseTarget>): AsyncGenerator<OwnDatabaseTarget> {
  const seen = new Set<string>()
  for await (const place of places) {
    if (place.target !== null) {
      const digest = createHash('sha256').update(locationOf(place.target)).digest('latin1').slice(0, 16)
      if (seen.has(digest)) continue
      seen.add(digest)
    }
    yield place
  }
}
