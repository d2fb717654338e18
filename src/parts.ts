import { auditFeature } from './api/audit/feature.ts'
import { eventFeature } from './api/event/feature.ts'
import { usualLimits as usualGraphQLLimits } from './api/graphql/document/limits.ts'
import { Gateway } from './api/graphql/gateway.ts'
import { OperationLimits } from './api/graphql/operation-limits.ts'
import { createFixedWindow } from './api/http/rate-limit/fixed-window.ts'
import { createLimiters, type Limiters } from './api/http/rate-limit/limiter.ts'
import { categoryFeature } from './catalog/category/feature.ts'
import { productFeature } from './catalog/product/feature.ts'
import type { Shared } from './core/context.ts'
import { sealingFeature } from './core/encryption/feature.ts'
import { prepareSealing } from './core/encryption/prepare.ts'
import { Sealer } from './core/encryption/secret-box.ts'
import { EventTypes } from './core/events/event-type.ts'
import { Actions } from './core/feature/action.ts'
import type { Feature } from './core/feature/feature.ts'
import { idempotencyFeature } from './core/idempotency/feature.ts'
import { BufferBudget, defaultMaxBufferedBytes } from './core/limits/buffer-budget.ts'
import { defaultSubscriptionLimits } from './core/limits/client-limits.ts'
import { CostLimiter, defaultCostPolicies } from './core/limits/cost-limiter.ts'
import { descriptorLimit } from './core/limits/descriptor-limit.ts'
import { LimitMonitor } from './core/limits/limit-monitor.ts'
import { defaultReplyMemory, ReplyMemory } from './core/limits/reply-memory.ts'
import { FailureLog } from './core/log/failure-log.ts'
import { Occasional } from './core/log/occasional.ts'
import type { Config } from './core/settings/config.ts'
import { TenantDirectory } from './core/tenant/directory.ts'
import { CatalogueData } from './database/data.ts'
import type { Database } from './database/executor.ts'
import { migrate } from './database/migration.ts'
import { createDatabase, openDatabase, parseDatabaseUrl } from './database/open.ts'
import { ConnectionBudget } from './database/postgres/budget.ts'
import type { TenantBudget } from './database/postgres/connection-pool.ts'
import { defaultTimeouts, type PostgresOptions } from './database/postgres/postgres-database.ts'
import {
  type LockTenantDatabase,
  lockCatalogue,
  shareDataFolder,
  tenantDatabaseLock,
  type Unlock,
} from './database/serving-lock.ts'
import { initializationFeature } from './identity/initialization/feature.ts'
import { keyFeature } from './identity/key/feature.ts'
import { SigningKeys } from './identity/key/signing-keys.ts'
import { Argon2Passwords, maxConcurrentHashes, usualPasswordCost } from './identity/password/argon2.ts'
import { HashQueue } from './identity/password/hash-queue.ts'
import { AccessTokens } from './identity/session/access-token.ts'
import { failureMemorySeconds, SignInBackoff } from './identity/session/backoff.ts'
import { sessionFeature } from './identity/session/feature.ts'
import { RevokedSessions } from './identity/session/revoked-sessions.ts'
import { userFeature } from './identity/user/feature.ts'
import { refuseUnfinishedRestore } from './operations/backup/unfinished.ts'
import { operationsFeature } from './operations/feature.ts'
import { markInitialized, refuseLostFile, refuseLostTables } from './operations/lost-catalogue.ts'
import { operatorContext } from './operations/operator.ts'
import { orderFeature } from './orders/feature.ts'
import type { LoggedOptions, ServiceOptions } from './service-options.ts'
import { OwnDatabases } from './tenancy/databases.ts'
import { tenantFeature } from './tenancy/feature.ts'
import { maxOpenFiles } from './tenancy/open-files.ts'
import { incomingFeature } from './webhooks/incoming/feature.ts'
import { isAwaited } from './webhooks/incoming/retry/retry.ts'
import { Waiting } from './webhooks/incoming/retry/waiting.ts'
import { Attendance } from './webhooks/outgoing/attendance/attendance.ts'
import { Engine } from './webhooks/outgoing/engine.ts'
import { deliveryFeature } from './webhooks/outgoing/feature.ts'
import { usualLimits } from './webhooks/outgoing/queue/slots.ts'
import { createGuard } from './webhooks/outgoing/send.ts'
import { subscriptionFeature } from './webhooks/subscriptions/feature.ts'
import { type AddressPolicy, addressPolicy } from './webhooks/subscriptions/ip-address.ts'

export type Parts = ReturnType<typeof assembleParts>

export interface OpenedParts extends Parts {
  /** Closes the databases, and gives the locks back. */
  close(): Promise<void>
}

/**
 * @param use `serve`: this process alone has the catalogue when it is embedded. `operate`: beside a service
 * @throws AlreadyServed, DatabaseUnavailable, also during a restore and behind one that was not finished
 */
export async function openParts(
  config: Config,
  options: LoggedOptions,
  use: 'serve' | 'operate',
): Promise<OpenedParts> {
  const target = parseDatabaseUrl(config.databaseUrl)
  const { dataDir } = config
  let unlockFolder = shareDataFolder(dataDir, target)
  let unlockCatalogue: Unlock | null = null
  const giveBack = (): void => {
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
    return { ...parts, close: () => close().finally(giveBack) }
  } catch (error) {
    await database?.close()
    giveBack()
    throw error
  }
}

/** @param database of the catalogue, which is neither asked nor migrated here */
export function assembleParts(
  config: Config,
  options: LoggedOptions,
  database: Database,
  lock?: LockTenantDatabase,
) {
  const clock = options.clock ?? (() => new Date())
  const { log } = options
  const postgres = postgresOptions(config)
  const budget: TenantBudget = new ConnectionBudget({ most: config.tenantDatabaseConnections, waitMs: 5000 })
  const catalogue = new CatalogueData(database.executor)
  const sealer = new Sealer(config.masterKey, config.masterKeysOpening)
  const keys = new SigningKeys(database, sealer, clock)
  const tokens = new AccessTokens(keys, config.baseUrl, clock)
  const directory = new TenantDirectory(catalogue)
  const revoked = new RevokedSessions(catalogue, clock)
  const addresses = addressPolicy(config)
  const maxConcurrent = maxConcurrentHashes(config.threadPoolSize)
  const hashQueue = new HashQueue({ maxConcurrent, ...options.hashLimits }, log)
  const attendance = new Attendance(database, clock)
  const { webhookRetentionDays: retentionDays, webhookBodyLimitBytes: bodyLimitBytes } = config
  const engine = () => deliveries
  const delivery = deliveryFeature({ engine, catalogue: database, clock, retentionDays, attendance })
  const waiting = new Waiting(config.webhookRetrySeconds)
  const incoming = incomingFeature({ bodyLimitBytes, waiting, retentionDays, busy: () => attendance.busy() })
  const features = [
    ...builtInFeatures({ database, keys, tokens, addresses, delivery, incoming, budget, hashQueue }),
    ...(options.features ?? []),
  ]
  const migrations = features.flatMap((feature) => feature.migrations ?? [])
  const maxFiles = maxOpenFiles(descriptorLimit())
  const sharedTarget = parseDatabaseUrl(config.databaseUrl)
  const lockTenantDatabase = lock ?? tenantDatabaseLock(database, sharedTarget)
  const tenantDatabases = new OwnDatabases({
    ...{ shared: database, catalogue, sealer, migrations, log, postgres: { ...postgres, budget } },
    ...{ sharedTarget, lock: lockTenantDatabase },
    dataDir: config.dataDir,
    capacity: Math.min(config.openTenantDatabases, maxFiles),
    maxOpenFiles: maxFiles,
  })
  const eventTypes = new EventTypes(features.map(({ events }) => events ?? {}))
  const actions = new Actions(features.map((feature) => feature.actions ?? {}))
  const limitMonitor = new LimitMonitor(log)
  const replyBounds = defaultReplyMemory(config.graphqlMaxBytes)
  const shared: Shared = {
    failures: new FailureLog(log),
    ...{ clock, log, sealer, eventTypes, actions, migrations, tenantDatabases },
    unknownNames: new Occasional(clock),
    costLimiter: new CostLimiter({ ...defaultCostPolicies, ...options.costPolicies }),
    replyMemory: new ReplyMemory({ ...replyBounds, ...options.replyMemory }, limitMonitor),
    catalogueDatabase: database,
    passwords: new Argon2Passwords(options.passwordCost ?? usualPasswordCost, hashQueue),
    wakeDeliveries: (tenantId, where, everywhere) => deliveries.wake(tenantId, where, everywhere),
    wakeFollowers: (tenantId) => graphql.live.wake(tenantId),
    attendTenant: (tenantId) => attendance.touch(tenantId),
  }
  const deliveries: Engine = createEngine(config, options, { shared, attendance, addresses, directory })
  const buffers = new BufferBudget(options.maxBufferedBytes ?? defaultMaxBufferedBytes, limitMonitor)
  const limiters = createLimiters(database.executor, config.rateLimits)
  const live = { features, shared, buffers, limitMonitor, limiters }
  const graphql: Gateway = createGateway(config, options, live)
  return {
    ...{ attendance, buffers, database, deliveries, directory, features, graphql, hashQueue, keys, limiters },
    ...{ limitMonitor, lockTenantDatabase, log, migrations, revoked, shared, tenantDatabases, tokens },
  }
}

type EngineParts = {
  shared: Shared
  attendance: Attendance
  addresses: AddressPolicy
  directory: TenantDirectory
}

function createEngine(config: Config, options: ServiceOptions, parts: EngineParts): Engine {
  const { shared, attendance, addresses, directory } = parts
  return new Engine({
    shared,
    attendance,
    guard: createGuard(addresses, options.receivers),
    retrySeconds: config.webhookRetrySeconds,
    deadlineMs: config.webhookTimeoutMs,
    limits: { ...usualLimits, ...options.deliveryLimits },
    stopWithinMs: options.deliveryStopWithinMs ?? 10_000,
    tenant: (id) => directory.byId(id),
    isAwaited: async (tenantId) => isAwaited(operatorContext(shared, await directory.host()), tenantId),
  })
}

type LiveParts = {
  shared: Shared
  buffers: BufferBudget
  limitMonitor: LimitMonitor
  limiters: Limiters
  features: readonly Feature[]
}

function createGateway(config: Config, options: ServiceOptions, parts: LiveParts): Gateway {
  const { features, shared, buffers, limiters, limitMonitor: monitor } = parts
  const { graphqlMaxCost: cost, graphqlMaxRows: rows, graphqlMaxBytes: bytes } = config
  const { graphqlIntrospection: introspection, graphqlOperations: operations } = config
  const { graphqlOperationsOnly: operationsOnly } = config
  const { subscriptionSweepMs: sweepMs } = options
  return new Gateway(
    features.map((feature) => feature.graphql ?? {}),
    {
      ...{ shared, introspection, operations, operationsOnly },
      limits: { ...usualGraphQLLimits, cost, rows, bytes },
      rateLimits: config.rateLimits.length === 0 ? null : new OperationLimits(limiters),
      live: {
        ...{ monitor, buffers, limits: { ...defaultSubscriptionLimits, ...options.subscriptionLimits } },
        ...(sweepMs !== undefined && { sweepMs }),
      },
    },
  )
}

/** Before anything works with the databases, whether somebody asks over HTTP or not. */
export async function prepareParts(parts: Parts): Promise<void> {
  const { database, features, keys, migrations, revoked, shared, tenantDatabases } = parts
  await refuseLostTables(tenantDatabases, database)
  await migrate(database, migrations)
  await keys.signer()
  await prepareSealing(database, features, shared)
  await revoked.load()
  markInitialized(tenantDatabases, shared.log)
  heedChanges(parts)
}

export function postgresOptions({ databaseConnections }: Config): PostgresOptions {
  return { ...defaultTimeouts, maxConnections: databaseConnections }
}

interface FeatureParts {
  database: Database
  keys: SigningKeys
  tokens: AccessTokens
  addresses: AddressPolicy
  delivery: Feature
  incoming: Feature
  budget: TenantBudget
  hashQueue: HashQueue
}

function builtInFeatures(parts: FeatureParts): Feature[] {
  const { database, keys, tokens, addresses, delivery, incoming, budget, hashQueue } = parts
  const limiter = (name: string, requests: number, seconds: number) =>
    createFixedWindow(database.executor, { name, requests, seconds })
  const failures = limiter('failure', Number.MAX_SAFE_INTEGER, failureMemorySeconds)
  const backoff = new SignInBackoff(failures, limiter('wait', 1, 1))
  return [
    tenantFeature(budget),
    operationsFeature,
    userFeature(backoff, hashQueue),
    sessionFeature({ tokens, backoff }),
    keyFeature(keys),
    auditFeature,
    initializationFeature,
    sealingFeature,
    idempotencyFeature,
    eventFeature,
    categoryFeature,
    productFeature,
    orderFeature,
    subscriptionFeature(addresses),
    delivery,
    incoming,
  ]
}

/** What this instance remembers follows what any instance changes. One part that fails keeps no other from it. */
function heedChanges(parts: Parts): void {
  const { attendance, database, deliveries, directory, graphql, keys, log, revoked, tenantDatabases } = parts
  const remembering = [directory, attendance, tenantDatabases, keys, deliveries, graphql.live, revoked]
  database.onChange((change) => {
    for (const part of remembering) {
      const taken = async (): Promise<void> => part.heed(change)
      taken().catch((error: unknown) => log.warn({ err: error, change }, 'change not taken in'))
    }
  })
}
