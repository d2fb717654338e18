/** The parts of a service: assembled, opened, and prepared for their use by a service or by a command. */

import { prepareEncryption } from '../core/encryption/prepare.ts'
import { descriptorLimit } from '../core/limits/descriptor-limit.ts'
import type { Config } from '../core/settings/config.ts'
import { ensureIdentity } from '../database/database-identity.ts'
import type { Database } from '../database/executor.ts'
import { createDatabase, openDatabase } from '../database/open.ts'
import { defaultTimeouts, type PostgresOptions } from '../database/postgres/postgres-database.ts'
import {
  type LockTenantDatabase,
  lockCatalogue,
  shareDataFolder,
  tenantDatabaseLock,
  type Unlock,
} from '../database/serving-lock.ts'
import { directTarget, parseDatabaseUrl } from '../database/target.ts'
import { refuseUnfinishedRestore } from '../operations/backup/restore-marker.ts'
import { markInitialized, refuseLostFile } from '../operations/lost-catalogue.ts'
import { OwnDatabases, type TenantDatabasesOptions } from '../tenancy/databases.ts'
import { maxOpenFiles } from '../tenancy/open-files.ts'
import { createFeatures } from './all-features.ts'
import { requireOwnNames } from './built-in-names.ts'
import { declarationsOf } from './declarations.ts'
import { declaredMigrations } from './declared-migrations.ts'
import { requireRowRules } from './declared-rows.ts'
import { requireMigrations } from './declared-tables.ts'
import { createFollowers } from './followers.ts'
import { createIndependentParts } from './independent-parts.ts'
import { prepareCatalogue } from './prepare-catalogue.ts'
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

export interface OpenedParts extends Parts {
  /** Closes the databases, and releases the locks. */
  close(): Promise<void>
}

/**
 * @param use `serve` locks an embedded catalogue for this process; `operate` works beside a service
 * @throws TablesDiffer; AlreadyServed; DatabaseUnavailable, also during a restore and after an unfinished one
 */
export async function openParts(
  config: Config,
  options: LoggedOptions,
  use: 'serve' | 'operate',
): Promise<OpenedParts> {
  requireOwnNames(options)
  requireRowRules(options)
  requireMigrations(options)
  const target = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  const { dataDir } = config
  let unlockFolder = shareDataFolder(dataDir, target)
  let unlockCatalogue: Unlock | null = null
  const unlock = (): void => {
    unlockCatalogue?.()
    unlockFolder?.()
  }
  let database: Database | null = null
  try {
    refuseUnfinishedRestore(dataDir)
    if (use === 'serve') unlockCatalogue = lockCatalogue(target)
    refuseLostFile({ dataDir, sharedTarget: target })
    await createDatabase(target)
    const opened = await openDatabase(target, postgresOptions(config, options))
    database = opened
    const lock = tenantDatabaseLock(opened, target)
    const parts = assembleParts(config, options, opened, (file) => {
      if (file.kind === 'sqlite') unlockFolder ??= shareDataFolder(dataDir, file)
      return lock(file)
    })
    const close = async (): Promise<void> => {
      await parts.tenantDatabases.close().finally(() => opened.close())
    }
    return { ...parts, close: () => close().finally(unlock) }
  } catch (error) {
    await database?.close()
    unlock()
    throw error
  }
}

/** Migrates the databases and loads what the parts cache. To be called before any use, by a service and by commands. */
export async function prepareParts(parts: Parts): Promise<void> {
  const { database, features, revoked, shared, tenantDatabases } = parts
  const prepared = await prepareOnServer(parts)
  await prepareEncryption(database, features, shared)
  await revoked.load()
  markInitialized(tenantDatabases, prepared.installation, shared.log)
  invalidateOnChanges(parts)
}

/** Migrates past a connection pooler, if there is one, because migrations need a session of their own. */
async function prepareOnServer(parts: Parts): Promise<{ installation: string }> {
  const { config, tenantDatabases } = parts
  const { sharedTarget } = tenantDatabases
  const direct = directTarget(sharedTarget)
  if (direct === sharedTarget) return prepareCatalogue(parts)
  const server = await openDatabase(direct, { ...postgresOptions(config), maxConnections: 1 })
  try {
    return await prepareCatalogue(parts, { server })
  } finally {
    await server.close()
  }
}

/** Invalidates caches when any instance changes data. The failure of one cache does not affect the others. */
function invalidateOnChanges(parts: Parts): void {
  const { pendingTenants, database, directory, feeds, keys, log, queueWorkers, revoked, roles } = parts
  const { apiKeys, known, owners, portals, tenantDatabases, tenantSettings } = parts
  const ofTenants = [directory, pendingTenants, tenantDatabases, tenantSettings]
  const caches = [...ofTenants, keys, queueWorkers, feeds, revoked, roles, known, apiKeys, owners, portals]
  database.onChange((change) => {
    for (const cache of caches) {
      const invalidated = async (): Promise<void> => cache.invalidate(change)
      invalidated().catch((error: unknown) => log.warn({ err: error, change }, 'cache not invalidated'))
    }
  })
}
