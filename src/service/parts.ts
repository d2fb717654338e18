import { descriptorLimit } from '../core/limits/descriptor-limit.ts'
import type { Config } from '../core/settings/config.ts'
import { ensureIdentity } from '../database/database-identity.ts'
import type { Database } from '../database/executor.ts'
import { defaultTimeouts, type PostgresOptions } from '../database/postgres/postgres-database.ts'
import { type LockTenantDatabase, tenantDatabaseLock } from '../database/serving-lock.ts'
import { parseDatabaseUrl } from '../database/target.ts'
import { OwnDatabases, type TenantDatabasesOptions } from '../tenancy/databases.ts'
import { maxOpenFiles } from '../tenancy/open-files.ts'
import { createFeatures } from './all-features.ts'
import { declarationsOf } from './declarations.ts'
import { declaredMigrations } from './declared-migrations.ts'
import { createFollowers } from './followers.ts'
import { createIndependentParts } from './independent-parts.ts'
import type { LoggedOptions, ServiceOptions } from './service-options.ts'
import { createShared } from './shared.ts'
import { createQueueWorkers } from './workers.ts'

export type Parts = ReturnType<typeof assembleParts>

/** @param database the database of the catalogue, which is neither queried nor migrated here */
export function assembleParts(
  config: Config,
  options: LoggedOptions,
  database: Database,
  lock?: LockTenantDatabase,
) {
  const independent = createIndependentParts(config, options, { database, declared: () => declarations })
  const { budget, catalogue, directory, guard, log, mail, pendingTenants, secretBox } = independent
  const { features, tenantSettings } = createFeatures(config, options, {
    ...independent,
    queues: () => queues,
  })
  const migrations = declaredMigrations(features, options)
  const sharedTarget = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  const lockTenantDatabase = lock ?? tenantDatabaseLock(database, sharedTarget)
  const tenantDatabases = createTenantDatabases(config, {
    catalogue,
    lock: lockTenantDatabase,
    log,
    migrations,
    postgres: { ...postgresOptions(config, options), budget },
    secretBox,
    shared: database,
    sharedTarget,
  })
  const { frames, ...declarations } = declarationsOf(features, options)
  const shared = createShared(config, options, {
    ...independent,
    declarations,
    features,
    feeds: () => followers.feeds,
    migrations,
    queueWorkers: () => queues.workers,
    tenantDatabases,
    tenantSettings,
  })
  const queues = createQueueWorkers(config, options, { shared, pendingTenants, guard, directory, mail })
  const followers = createFollowers(config, options, { ...independent, features, shared })
  return {
    ...independent,
    ...followers,
    config,
    deliveries: queues.deliveries,
    features,
    frames,
    lockTenantDatabase,
    migrations,
    queueWorkers: queues.workers,
    shared,
    tenantDatabases,
    tenantSettings,
  }
}

function createTenantDatabases(
  { dataDir, openTenantDatabases }: Config,
  parts: Omit<TenantDatabasesOptions, 'dataDir' | 'capacity' | 'maxOpenFiles' | 'installation'>,
): OwnDatabases {
  const maxOpen = maxOpenFiles(descriptorLimit())
  const capacity = Math.min(openTenantDatabases, maxOpen)
  const identify = async () => (await ensureIdentity(parts.shared)).id
  return new OwnDatabases({ ...parts, dataDir, capacity, maxOpenFiles: maxOpen, installation: identify })
}

export function postgresOptions(config: Config, options: ServiceOptions = {}): PostgresOptions {
  return { ...defaultTimeouts, ...options.databaseTimeouts, maxConnections: config.databaseConnections }
}
