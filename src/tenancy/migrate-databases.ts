/** The databases of all tenants, brought up to date one by one: each opened, migrated and closed again. */
import { createHash } from 'node:crypto'
import { locationOf } from '../database/target.ts'
import { type OwnDatabaseReader, type OwnDatabaseTarget, ownDatabaseTargets } from './own-database-targets.ts'
import { inspectPending, openPrepared, type Preparation } from './prepare.ts'

export interface MigrationWalk extends OwnDatabaseReader, Preparation {
  /** How many databases are worked on at a time. */
  parallel: number
  /** Nothing is changed; what would be applied is told. */
  dryRun: boolean
}

export type MigrationOutcome =
  | { kind: 'done'; applied: readonly string[] }
  | { kind: 'pending'; pending: readonly string[]; exists: boolean }
  | { kind: 'failed'; reason: unknown }

/**
 * Each database once, however many tenants it has. One that fails keeps no other from being done.
 * @param report is called for each, in the order in which they end
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

/** Digests are remembered, since a connection string is long: some 60 bytes for each database. */
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
