/** Assembles the parts of the service, and opens and prepares its databases. */
import type { Gateway } from '../api/graphql/gateway.ts'
import { createLimiters } from '../api/http/rate-limit/limiter.ts'
import { namesOfActions } from '../core/audit/action.ts'
import type { Shared } from '../core/context.ts'
import { prepareEncryption } from '../core/encryption/prepare.ts'
import { SecretBox } from '../core/encryption/secret-box.ts'
import { EventTypes } from '../core/events/event-type.ts'
import { Actions } from '../core/feature/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import { BufferBudget, defaultMaxBufferedBytes } from '../core/limits/buffer-budget.ts'
import { CostLimiter, defaultCostPolicies } from '../core/limits/cost-limiter.ts'
import { descriptorLimit } from '../core/limits/descriptor-limit.ts'
import { LimitMonitor } from '../core/limits/limit-monitor.ts'
import { defaultReplyMemory, ReplyMemory } from '../core/limits/reply-memory.ts'
import { FailureLog } from '../core/log/failure-log.ts'
import { throttleNames } from '../core/log/log-throttle.ts'
import { PendingTenants } from '../core/queue/pending-tenants.ts'
import type { QueueWorkers } from '../core/queue/workers.ts'
import type { Config } from '../core/settings/config.ts'
import { TenantDirectory } from '../core/tenant/directory.ts'
import { CachedTenantSettings } from '../core/tenant/settings/cache.ts'
import { DeclaredSettings } from '../core/tenant/settings/declared.ts'
import { CatalogueData } from '../database/data.ts'
import type { Database } from '../database/executor.ts'
import { type Migration, migrate } from '../database/migration.ts'
import { createDatabase, openDatabase } from '../database/open.ts'
import { ConnectionBudget } from '../database/postgres/budget.ts'
import type { TenantBudget } from '../database/postgres/connection-pool.ts'
import { defaultTimeouts, type PostgresOptions } from '../database/postgres/postgres-database.ts'
import {
  type LockTenantDatabase,
  lockCatalogue,
  shareDataFolder,
  tenantDatabaseLock,
  type Unlock,
} from '../database/serving-lock.ts'
import { parseDatabaseUrl } from '../database/target.ts'
import { createFiles } from '../files/create-files.ts'
import { SigningKeys } from '../identity/key/signing-keys.ts'
import { Argon2Passwords, defaultPasswordCost, maxConcurrentHashes } from '../identity/password/argon2.ts'
import { HashQueue } from '../identity/password/hash-queue.ts'
import { AccessTokens } from '../identity/session/access-token.ts'
import { RevokedSessions } from '../identity/session/revocation.ts'
import { refuseUnfinishedRestore } from '../operations/backup/restore-marker.ts'
import { markInitialized, refuseLostFile, refuseLostTables } from '../operations/lost-catalogue.ts'
import { OwnDatabases, type TenantDatabasesOptions } from '../tenancy/databases.ts'
import { maxOpenFiles } from '../tenancy/open-files.ts'
import { tenantSettingFeature } from '../tenancy/settings/feature.ts'
import { incomingFeature } from '../webhooks/incoming/feature.ts'
import type { Deliveries } from '../webhooks/outgoing/deliveries.ts'
import { deliveryFeature } from '../webhooks/outgoing/feature.ts'
import { addressPolicy } from '../webhooks/subscriptions/ip-address.ts'
import { requireMigrations } from './declared-tables.ts'
import { builtInFeatures } from './features.ts'
import type { LoggedOptions, ServiceOptions } from './service-options.ts'
import { createGateway, createQueueWorkers } from './workers.ts'

export type Parts = ReturnType<typeof assembleParts>

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
  requireMigrations(options)
  const target = parseDatabaseUrl(config.databaseUrl)
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
    const opened = await openDatabase(target, postgresOptions(config))
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

/** @param database the database of the catalogue, which is neither queried nor migrated here */
export function assembleParts(
  config: Config,
  options: LoggedOptions,
  database: Database,
  lock?: LockTenantDatabase,
) {
  const clock = options.clock ?? (() => new Date())
  const { log } = options
  const postgres = postgresOptions(config)
  const { tenantDatabaseConnections: maxConnections } = config
  const budget: TenantBudget = new ConnectionBudget({ maxConnections, waitMs: 5000 })
  const catalogue = new CatalogueData(database.executor)
  const secretBox = new SecretBox(config.masterKey, config.previousMasterKeys)
  const keys = new SigningKeys(database, secretBox, clock)
  const tokens = new AccessTokens(keys, config.baseUrl, clock)
  const directory = new TenantDirectory(catalogue)
  const revoked = new RevokedSessions(catalogue, clock)
  const addresses = addressPolicy(config)
  const maxConcurrent = maxConcurrentHashes(config.threadPoolSize)
  const hashQueue = new HashQueue({ maxConcurrent, ...options.hashLimits }, log)
  const pendingTenants = new PendingTenants(database, clock)
  const { webhookRetentionDays: retentionDays, webhookBodyLimitBytes: bodyLimitBytes } = config
  const sources = () => queues
  const delivery = deliveryFeature({ sources, catalogue: database, clock, retentionDays, pendingTenants })
  const retrySeconds = config.webhookRetrySeconds
  const incoming = incomingFeature({ bodyLimitBytes, retrySeconds, retentionDays })
  const files = createFiles(config)
  const builtIn = builtInFeatures({
    ...{ database, keys, tokens, addresses, delivery, incoming, budget, hashQueue, files },
    without: options.without,
  })
  const { features, tenantSettings } = withTenantSettings(builtIn, options.features ?? [])
  const migrations = migrationsOf(features, options)
  const sharedTarget = parseDatabaseUrl(config.databaseUrl)
  const lockTenantDatabase = lock ?? tenantDatabaseLock(database, sharedTarget)
  const tenantDatabases = createTenantDatabases(config, {
    ...{ shared: database, catalogue, secretBox, migrations, log, postgres: { ...postgres, budget } },
    ...{ sharedTarget, lock: lockTenantDatabase },
  })
  const eventTypes = new EventTypes(features.map(({ events }) => events ?? {}))
  const auditActions = namesOfActions(features.map(({ audited }) => audited ?? {}))
  const actions = new Actions(features.map((feature) => feature.actions ?? {}))
  const limitMonitor = new LimitMonitor(log)
  const replyBounds = defaultReplyMemory(config.graphqlMaxBytes)
  const shared: Shared = {
    failures: new FailureLog(log),
    ...{ clock, log, secretBox, eventTypes, auditActions, actions, migrations },
    ...{ tenantDatabases, tenantSettings, files },
    unknownNames: throttleNames(clock),
    costLimiter: new CostLimiter({ ...defaultCostPolicies, ...options.costPolicies }),
    replyMemory: new ReplyMemory({ ...replyBounds, ...options.replyMemory }, limitMonitor),
    catalogueDatabase: database,
    passwords: new Argon2Passwords(options.passwordCost ?? defaultPasswordCost, hashQueue),
    wakeQueues: (tenantId, where, walk) => queues.workers.wake(tenantId, where, walk),
    noteDue: (tenantId, where, due) => queues.workers.note(tenantId, where, due),
    wakeSubscribers: (tenantId) => graphql.live.wake(tenantId),
    markPendingTenant: (tenantId) => pendingTenants.touch(tenantId),
  }
  const queues: { deliveries: Deliveries; workers: QueueWorkers } = createQueueWorkers(config, options, {
    ...{ shared, pendingTenants, addresses, directory },
  })
  const buffers = new BufferBudget(options.maxBufferedBytes ?? defaultMaxBufferedBytes, limitMonitor)
  const limiters = createLimiters(database.executor, config.rateLimits)
  const live = { features, shared, buffers, limitMonitor, limiters }
  const graphql: Gateway = createGateway(config, options, live)
  return {
    ...{ buffers, database, directory, features, graphql, hashQueue, keys, limiters },
    ...{ limitMonitor, lockTenantDatabase, log, migrations, pendingTenants, revoked },
    ...{ shared, tenantDatabases, tenantSettings, tokens },
    ...{ deliveries: queues.deliveries, queueWorkers: queues.workers },
  }
}

/** Adds the feature of the settings that all features declare. @throws ConfigError for settings that cannot be declared */
function withTenantSettings(builtIn: readonly Feature[], own: readonly Feature[]) {
  const declared = new DeclaredSettings([...builtIn, ...own].map((feature) => feature.tenantSettings ?? {}))
  const features = [...builtIn, tenantSettingFeature(declared), ...own]
  return { features, tenantSettings: new CachedTenantSettings(declared) }
}

/** Those in files come last, because their tables may refer to those of features. */
function migrationsOf(features: readonly Feature[], { migrations }: ServiceOptions): Migration[] {
  return [...features.flatMap((feature) => feature.migrations ?? []), ...(migrations?.migrations ?? [])]
}

function createTenantDatabases(
  { dataDir, openTenantDatabases }: Config,
  parts: Omit<TenantDatabasesOptions, 'dataDir' | 'capacity' | 'maxOpenFiles'>,
): OwnDatabases {
  const maxOpen = maxOpenFiles(descriptorLimit())
  const capacity = Math.min(openTenantDatabases, maxOpen)
  return new OwnDatabases({ ...parts, dataDir, capacity, maxOpenFiles: maxOpen })
}

/** Migrates the databases and loads what the parts cache. To be called before any use, by a service and by commands. */
export async function prepareParts(parts: Parts): Promise<void> {
  const { database, features, keys, migrations, revoked, shared, tenantDatabases } = parts
  await refuseLostTables(tenantDatabases, database)
  await migrate(database, migrations)
  await keys.signer()
  await prepareEncryption(database, features, shared)
  await revoked.load()
  markInitialized(tenantDatabases, shared.log)
  invalidateOnChanges(parts)
}

export function postgresOptions({ databaseConnections }: Config): PostgresOptions {
  return { ...defaultTimeouts, maxConnections: databaseConnections }
}

/** Invalidates caches when any instance changes data. The failure of one cache does not affect the others. */
function invalidateOnChanges(parts: Parts): void {
  const { pendingTenants, database, directory, graphql, keys, log, queueWorkers, revoked } = parts
  const { tenantDatabases, tenantSettings } = parts
  const ofTenants = [directory, pendingTenants, tenantDatabases, tenantSettings]
  const caches = [...ofTenants, keys, queueWorkers, graphql.live, revoked]
  database.onChange((change) => {
    for (const cache of caches) {
      const invalidated = async (): Promise<void> => cache.invalidate(change)
      invalidated().catch((error: unknown) => log.warn({ err: error, change }, 'cache not invalidated'))
    }
  })
}
