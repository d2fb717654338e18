/** The commands `tenantry migrate`, `migrate diff` and `migrate check`. */
import { createLog } from '../core/log/log.ts'
import type { Config } from '../core/settings/config.ts'
import { registry } from '../core/tenant/directory.ts'
import { ensureIdentity } from '../database/database-identity.ts'
import { inspectMigrations } from '../database/migrate/apply.ts'
import { createDatabase, openDatabase, openForInspection } from '../database/open.ts'
import { shareDataFolder } from '../database/serving-lock.ts'
import { type DatabaseTarget, directTarget, parseDatabaseUrl } from '../database/target.ts'
import { refuseUnfinishedRestore } from '../operations/backup/restore-marker.ts'
import { refuseLostFile } from '../operations/lost-catalogue.ts'
import { requireOwnNames } from '../service/built-in-names.ts'
import { requireMigrations } from '../service/declared-tables.ts'
import { assembleParts, type Parts, postgresOptions } from '../service/parts.ts'
import { prepareCatalogue } from '../service/prepare-catalogue.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { migrateTenantDatabases } from '../tenancy/migrate-databases.ts'
import { type Run, UsageError } from './command.ts'
import { checkDefinitions, writeDiff } from './migrate-diff.ts'
import { MigrationReport } from './migration-report.ts'
import type { Output } from './terminal.ts'

/** The limit of a statement, which may rewrite a large table, and of the wait for another process. */
const migrationLockWaitMs = 3_600_000

const defaultParallel = 8
const maxParallel = 64

export interface MigrateOptions {
  /** The number of tenant databases that are migrated at a time. */
  parallel: number
  /** Reports pending migrations, and changes nothing. */
  dryRun: boolean
  service: ServiceOptions
  output: Output
}

export const migrateAll: Run = (config, { options, flags }, service, { output }) =>
  migrateEverything(config, {
    parallel: readCount('parallel', options['parallel'] ?? `${defaultParallel}`, maxParallel),
    dryRun: flags.has('dry-run'),
    service,
    output,
  })

export const diff: Run = (_config, given, service, surroundings) => writeDiff(given, service, surroundings)

export const check: Run = (_config, _given, service, surroundings) => checkDefinitions(service, surroundings)

/**
 * Migrates the shared database, then those of the tenants. A tenant database that fails does not stop the others.
 * @returns the exit code 0 @throws ServiceError when a database has failed
 */
export async function migrateEverything(config: Config, options: MigrateOptions): Promise<number> {
  requireOwnNames(options.service)
  requireMigrations(options.service)
  const sharedTarget = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  const unlock = options.dryRun ? null : shareDataFolder(config.dataDir, sharedTarget)
  try {
    refuseUnfinishedRestore(config.dataDir)
    refuseLostFile({ dataDir: config.dataDir, sharedTarget })
    return await migrateIn(config, sharedTarget, options)
  } finally {
    unlock?.()
  }
}

async function migrateIn(
  config: Config,
  sharedTarget: DatabaseTarget,
  options: MigrateOptions,
): Promise<number> {
  const { dryRun, parallel, service } = options
  const log = service.log ?? (await createLog(config))
  const postgres = { ...postgresOptions(config), statementTimeoutMs: migrationLockWaitMs, maxConnections: 1 }
  if (!dryRun) await createDatabase(sharedTarget)
  const { database, exists } = dryRun
    ? await openForInspection(directTarget(sharedTarget), postgres)
    : { database: await openDatabase(directTarget(sharedTarget), postgres), exists: true }
  const report = new MigrationReport(options.output, dryRun)
  try {
    const parts = assembleParts(config, { ...service, log }, database)
    const { migrations, shared } = parts
    const isReady = dryRun ? await inspectShared(parts, exists, report) : await migrateShared(parts, report)
    if (isReady) {
      await migrateTenantDatabases(
        {
          sharedTarget,
          migrations,
          postgres,
          parallel,
          dryRun,
          catalogue: registry(database.executor),
          secretBox: shared.secretBox,
          dataDir: config.dataDir,
          lock: parts.lockTenantDatabase,
          shared: database,
          installation: async () => (await ensureIdentity(database)).id,
          lockWaitMs: migrationLockWaitMs,
        },
        (tenantId, outcome) => report.add(tenantId, outcome),
      )
    }
  } finally {
    await database.close()
  }
  report.end()
  return 0
}

async function migrateShared(parts: Parts, report: MigrationReport): Promise<true> {
  const { applied } = await prepareCatalogue(parts, { lockWaitMs: migrationLockWaitMs })
  report.addShared({ kind: 'done', applied })
  return true
}

/** @returns whether the catalogue exists, and may have tenants */
async function inspectShared(parts: Parts, exists: boolean, report: MigrationReport): Promise<boolean> {
  const pending = (await inspectMigrations(parts.database, parts.migrations)).pending.map(({ name }) => name)
  report.addShared({ kind: 'pending', exists, pending })
  return pending.length < parts.migrations.length
}

/** Reads a whole number from 1 to `max`. @throws UsageError */
function readCount(name: string, text: string, max: number): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= max) return count
  throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`)
}
