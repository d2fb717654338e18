import { createLimiters } from '../api/http/rate-limit/limiter.ts'
import { Readiness } from '../api/http/readiness.ts'
import { RequestFigures } from '../api/http/request-figures.ts'
import type { Shared } from '../core/context.ts'
import { prepareEncryption } from '../core/encryption/prepare.ts'
import { SecretBox } from '../core/encryption/secret-box.ts'
import type { Feature } from '../core/feature/feature.ts'
import { installation } from '../core/installation.ts'
import { BufferBudget, defaultMaxBufferedBytes } from '../core/limits/buffer-budget.ts'
import { CostLimiter, defaultCostPolicies } from '../core/limits/cost-limiter.ts'
import { descriptorLimit } from '../core/limits/descriptor-limit.ts'
import { LimitMonitor } from '../core/limits/limit-monitor.ts'
import { defaultReplyMemory, ReplyMemory } from '../core/limits/reply-memory.ts'
import { FailureLog } from '../core/log/failure-log.ts'
import { throttleNames } from '../core/log/log-throttle.ts'
import { createAddressGuard } from '../core/outgoing/address-guard.ts'
import { addressPolicy } from '../core/outgoing/ip-address.ts'
import { PendingTenants } from '../core/queue/pending-tenants.ts'
import type { Config } from '../core/settings/config.ts'
import { defaultChangePropagationMs, TenantDirectory } from '../core/tenant/directory.ts'
import { CachedTenantSettings } from '../core/tenant/settings/cache.ts'
import { DeclaredSettings } from '../core/tenant/settings/declared.ts'
import { ensureIdentity } from '../database/database-identity.ts'
import type { Database } from '../database/executor.ts'
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
import { directTarget, parseDatabaseUrl } from '../database/target.ts'
import { createFiles } from '../files/create-files.ts'
import { SigningKeys } from '../identity/key/signing-keys.ts'
import { Argon2Passwords, defaultPasswordCost } from '../identity/password/argon2.ts'
import { AccessTokens } from '../identity/session/access-token.ts'
import { RevokedSessions } from '../identity/session/revocation.ts'
import { jobFeature } from '../jobs/feature.ts'
import { OwnDeadJobs } from '../jobs/metrics/dead/count.ts'
import { queuedJobsOf } from '../jobs/schedule/declared.ts'
import { mailFeature } from '../mail/feature.ts'
import { refuseUnfinishedRestore } from '../operations/backup/restore-marker.ts'
import { markInitialized, refuseLostFile } from '../operations/lost-catalogue.ts'
import { OwnDatabases, type TenantDatabasesOptions } from '../tenancy/databases.ts'
import { maxOpenFiles } from '../tenancy/open-files.ts'
import { tenantSettingFeature } from '../tenancy/settings/feature.ts'
import { incomingFeature } from '../webhooks/incoming/feature.ts'
import { deliveryFeature } from '../webhooks/outgoing/feature.ts'
import { QueueStatistics } from '../webhooks/outgoing/metrics/statistics.ts'
import { requireOwnNames } from './built-in-names.ts'
import { declarationsOf } from './declarations.ts'
import { declaredMigrations, sinceFirstRelease } from './declared-migrations.ts'
import { requirePatterns } from './declared-patterns.ts'
import { requireRowRules } from './declared-rows.ts'
import { requireMigrations } from './declared-tables.ts'
import { createDirectories, credentials } from './directories.ts'
import { builtInFeatures } from './features.ts'
import { createFollowers } from './followers.ts'
import { createMail } from './mail-parts.ts'
import { passwordParts } from './password-parts.ts'
import { prepareCatalogue } from './prepare-catalogue.ts'
import type { LoggedOptions, ServiceOptions } from './service-options.ts'
import { createQueueWorkers, type Queues } from './workers.ts'

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

/** @param database the database of the catalogue, which is neither queried nor migrated here */
export function assembleParts(
  config: Config,
  options: LoggedOptions,
  database: Database,
  lock?: LockTenantDatabase,
) {
  const clock = options.clock ?? (() => new Date())
  const { log, without, changePropagationMs = defaultChangePropagationMs } = options
  const maxConnections = config.tenantDatabaseConnections
  const budget: TenantBudget = new ConnectionBudget({ maxConnections, waitMs: 5000 })
  const catalogue = installation(database.executor, 'what the service caches is of every tenant')
  const secretBox = new SecretBox(config.masterKey, config.previousMasterKeys)
  const keys = new SigningKeys(database, secretBox, clock)
  const directories = createDirectories(database, clock, () => declarations)
  const tokens = new AccessTokens(keys, config.baseUrl, clock, directories)
  const directory = new TenantDirectory(catalogue)
  const revoked = new RevokedSessions(credentials(database), clock)
  const { addresses, guard } = outgoingOf(config, options)
  const { hashQueue, ranges } = passwordParts(config, options, guard)
  const pendingTenants = new PendingTenants(database, clock)
  const sources = (): Queues => queues
  const files = createFiles(config)
  const observed = { readiness: new Readiness(log), requestFigures: new RequestFigures() }
  const own = options.features ?? []
  const queued = queuedFeatures(config, own, { sources, catalogue: database, clock, pendingTenants })
  const mail = createMail(config, options)
  const builtIn = builtInFeatures({
    ...{ ...directories, addresses, budget, clock, config, database, files, guard, hashQueue, keys, ranges },
    ...queued,
    ...{ ...observed, pendingTenants, tokens, own, without, defaultRoles: options.defaultRoles ?? {} },
  })
  const { features, tenantSettings } = withTenantSettings(builtIn, options)
  const migrations = declaredMigrations(features, options)
  const sharedTarget = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  const lockTenantDatabase = lock ?? tenantDatabaseLock(database, sharedTarget)
  const tenantDatabases = createTenantDatabases(config, {
    ...{ shared: database, catalogue, secretBox, migrations, log },
    ...{ sharedTarget, lock: lockTenantDatabase, postgres: { ...postgresOptions(config, options), budget } },
  })
  const { frames, ...declarations } = declarationsOf(features, options)
  const limitMonitor = new LimitMonitor(log)
  const replyBounds = defaultReplyMemory(config.graphqlMaxBytes)
  const shared: Shared = {
    failures: new FailureLog(log),
    sessionMaxMs: config.sessionMaxDays * 24 * 60 * 60 * 1000,
    ...{ ...directories, changePropagationMs, clock, log, secretBox, ...declarations, migrations },
    mails: { declared: declarations.mails, ...mail.settings },
    ...{ tenantDatabases, tenantSettings, files, jobs: queuedJobsOf(features), baseUrl: config.baseUrl },
    ...{ unknownNames: throttleNames(clock), tenantUsage: observed.requestFigures.byTenant },
    costLimiter: new CostLimiter({ ...defaultCostPolicies, ...options.costPolicies }),
    replyMemory: new ReplyMemory({ ...replyBounds, ...options.replyMemory }, limitMonitor),
    catalogueDatabase: database,
    passwords: new Argon2Passwords(options.passwordCost ?? defaultPasswordCost, hashQueue),
    breachedPasswords: ranges,
    wakeQueues: (tenantId, where, scan) => queues.workers.wake(tenantId, where, scan),
    noteDue: (tenantId, where, due) => queues.workers.note(tenantId, where, due),
    wakeSubscribers: (tenantId) => followers.feeds.wake(tenantId),
    markPendingTenant: (tenantId) => pendingTenants.touch(tenantId),
  }
  const queues = createQueueWorkers(config, options, { shared, pendingTenants, guard, directory, mail })
  const limits = limitsOf(config, options, { database, limitMonitor })
  const followers = createFollowers(config, options, { features, shared, ...limits })
  return {
    ...{ config, database, directory, features, frames, hashQueue, keys, ...limits },
    ...{ ...directories, ...observed, lockTenantDatabase, log, migrations, pendingTenants, revoked },
    ...{ ...followers, shared, tenantDatabases, tenantSettings, tokens },
    ...{ deliveries: queues.deliveries, queueWorkers: queues.workers },
  }
}

function limitsOf(
  config: Config,
  options: ServiceOptions,
  { database, limitMonitor }: { database: Database; limitMonitor: LimitMonitor },
) {
  return {
    buffers: new BufferBudget(options.maxBufferedBytes ?? defaultMaxBufferedBytes, limitMonitor),
    limitMonitor,
    limiters: createLimiters(database.executor, config.rateLimits, options),
  }
}

/** Restricts requests to addresses that tenants choose. */
function outgoingOf(config: Config, { receivers }: ServiceOptions) {
  const addresses = addressPolicy(config)
  return { addresses, guard: createAddressGuard(addresses, receivers) }
}

interface QueueFeatureParts {
  sources: () => Queues
  catalogue: Database
  clock: () => Date
  pendingTenants: PendingTenants
}

function queuedFeatures(config: Config, features: readonly Feature[], parts: QueueFeatureParts) {
  const { webhookRetentionDays: retentionDays, webhookBodyLimitBytes: bodyLimitBytes } = config
  const { webhookRetrySeconds: retrySeconds } = config
  const statistics = new QueueStatistics(parts.catalogue, parts.clock)
  return {
    statistics,
    ownDeadJobs: new OwnDeadJobs(),
    delivery: deliveryFeature({ ...parts, retentionDays, statistics }),
    incoming: incomingFeature({ bodyLimitBytes, retrySeconds, retentionDays, baseUrl: config.baseUrl }),
    jobs: jobFeature({ ...parts, features, config }),
    mails: mailFeature({ ...parts, config }),
  }
}

/** Adds the feature of the settings that all features declare. @throws ConfigError, ApplicationError */
function withTenantSettings(builtIn: readonly Feature[], options: ServiceOptions) {
  requireOwnNames(options)
  const own = options.features ?? []
  const declared = new DeclaredSettings([...builtIn, ...own].map((feature) => feature.tenantSettings ?? {}))
  const features = [...[...builtIn, tenantSettingFeature(declared)].map(sinceFirstRelease), ...own]
  requirePatterns(features)
  return { features, tenantSettings: new CachedTenantSettings(declared) }
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

/** Migrates the databases and loads what the parts cache. To be called before any use, by a service and by commands. */
export async function prepareParts(parts: Parts): Promise<void> {
  const { database, features, revoked, shared, tenantDatabases } = parts
  const prepared = await prepareOnServer(parts)
  await prepareEncryption(database, features, shared)
  await revoked.load()
  markInitialized(tenantDatabases, prepared.installation, shared.log)
  invalidateOnChanges(parts)
}

/** Migrations need a session of their own. */
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

export function postgresOptions(config: Config, options: ServiceOptions = {}): PostgresOptions {
  return { ...defaultTimeouts, ...options.databaseTimeouts, maxConnections: config.databaseConnections }
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
