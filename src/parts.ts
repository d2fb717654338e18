import { pino } from 'pino'
import { auditFeature } from './audit/feature.ts'
import { refuseUnfinishedRestore } from './backup/unfinished.ts'
import { categoryFeature } from './category/feature.ts'
import type { Config } from './config.ts'
import type { Shared } from './context.ts'
import { CatalogueData } from './database/data.ts'
import type { Database } from './database/executor.ts'
import { createDatabase, openDatabase, parseDatabaseUrl } from './database/open.ts'
import { ConnectionBudget } from './database/postgres/budget.ts'
import type { TenantBudget } from './database/postgres/lane.ts'
import type { PostgresOptions } from './database/postgres/postgres-database.ts'
import { Attendance } from './delivery/attendance/attendance.ts'
import { Engine } from './delivery/engine.ts'
import { deliveryFeature } from './delivery/feature.ts'
import { usualLimits } from './delivery/queue/slots.ts'
import { createGuard } from './delivery/send.ts'
import { EventTypes } from './event/event-type.ts'
import { eventFeature } from './event/feature.ts'
import type { Feature } from './feature.ts'
import { usualLimits as usualGraphQLLimits } from './graphql/document/limits.ts'
import { Gateway } from './graphql/gateway.ts'
import { createLimiter } from './http/rate-limit.ts'
import { idempotencyFeature } from './idempotency/feature.ts'
import { Actions } from './incoming/action/action.ts'
import { incomingFeature } from './incoming/feature.ts'
import { isAwaited } from './incoming/retry/retry.ts'
import { Waiting } from './incoming/retry/waiting.ts'
import { initializationFeature } from './initialization/feature.ts'
import { keyFeature } from './key/feature.ts'
import { SigningKeys } from './key/signing-keys.ts'
import { operatorContext } from './operator.ts'
import { orderFeature } from './order/feature.ts'
import { Passwords, usualPasswordCost } from './password.ts'
import { productFeature } from './product/feature.ts'
import { Sealer } from './seal.ts'
import { sealingFeature } from './sealing/feature.ts'
import type { ServiceOptions } from './service-options.ts'
import { AccessTokens } from './session/access-token.ts'
import { failureMemorySeconds, SignInBackoff } from './session/backoff.ts'
import { sessionFeature } from './session/feature.ts'
import { RevokedSessions } from './session/revoked-sessions.ts'
import { subscriptionFeature } from './subscription/feature.ts'
import { type AddressPolicy, addressPolicy } from './subscription/ip-address.ts'
import { OwnDatabases } from './tenant/databases.ts'
import { TenantDirectory } from './tenant/directory.ts'
import { tenantFeature } from './tenant/feature.ts'
import { userFeature } from './user/feature.ts'

export type Parts = ReturnType<typeof assembleParts>

/** @throws DatabaseUnavailable */
export async function openParts(config: Config, options: ServiceOptions): Promise<Parts> {
  return assembleParts(config, options, await openCatalogue(config))
}

/** @param database of the catalogue, which is neither asked nor migrated here */
export function assembleParts(config: Config, options: ServiceOptions, database: Database) {
  const clock = options.clock ?? (() => new Date())
  const log = options.log ?? pino({ level: config.logLevel })
  const postgres = postgresOptions(config)
  const budget: TenantBudget = new ConnectionBudget({ most: config.tenantDatabaseConnections, waitMs: 5000 })
  const catalogue = new CatalogueData(database.executor)
  const sealer = new Sealer(config.masterKey, config.masterKeysOpening)
  const keys = new SigningKeys(database, sealer, clock)
  const tokens = new AccessTokens(keys, config.baseUrl, clock)
  const directory = new TenantDirectory(catalogue)
  const revoked = new RevokedSessions(catalogue, clock)
  const addresses = addressPolicy(config)
  const attendance = new Attendance(database, clock)
  const { webhookRetentionDays: retentionDays, webhookBodyLimitBytes: bodyLimitBytes } = config
  const marked = () => attendance.marked()
  const engine = () => deliveries
  const delivery = deliveryFeature({ engine, catalogue: database, clock, retentionDays, marked })
  const waiting = new Waiting(config.webhookRetrySeconds)
  const incoming = incomingFeature({ bodyLimitBytes, waiting, retentionDays, marked })
  const features = [
    ...builtInFeatures({ database, keys, tokens, addresses, delivery, incoming, budget }),
    ...(options.features ?? []),
  ]
  const migrations = features.flatMap((feature) => feature.migrations ?? [])
  const tenantDatabases = new OwnDatabases({
    ...{ shared: database, catalogue, sealer, migrations, log, postgres: { ...postgres, budget } },
    sharedTarget: parseDatabaseUrl(config.databaseUrl),
    dataDir: config.dataDir,
    capacity: config.openTenantDatabases,
  })
  const eventTypes = new EventTypes(features.map(({ events }) => events ?? {}))
  const actions = new Actions(features.map((feature) => feature.actions ?? {}))
  const shared: Shared = {
    ...{ clock, log, sealer, eventTypes, actions, catalogueDatabase: database, tenantDatabases },
    passwords: new Passwords(options.passwordCost ?? usualPasswordCost),
    wakeDeliveries: (tenantId, where, everywhere) => {
      deliveries.wake(tenantId, where, everywhere)
      graphql.live.wake(tenantId)
    },
    attendTenant: (tenantId) => attendance.touch(tenantId),
  }
  const deliveries: Engine = createEngine(config, options, { shared, attendance, addresses, directory })
  const graphql: Gateway = new Gateway(
    features.map((feature) => feature.graphql ?? {}),
    {
      shared,
      introspection: config.graphqlIntrospection,
      operations: config.graphqlOperations,
      operationsOnly: config.graphqlOperationsOnly,
      limits: { ...usualGraphQLLimits, cost: config.graphqlMaxCost, rows: config.graphqlMaxRows },
      sweepMs: options.subscriptionSweepMs,
    },
  )
  return {
    ...{ attendance, database, deliveries, directory, features, graphql, keys },
    ...{ log, migrations, revoked, shared, tenantDatabases, tokens },
  }
}

interface EngineParts {
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

export function postgresOptions({ databaseConnections }: Config): PostgresOptions {
  return { connectTimeoutMs: 5000, statementTimeoutMs: 30_000, maxConnections: databaseConnections }
}

async function openCatalogue(config: Config): Promise<Database> {
  refuseUnfinishedRestore(config.dataDir)
  const target = parseDatabaseUrl(config.databaseUrl)
  await createDatabase(target)
  return openDatabase(target, postgresOptions(config))
}

interface FeatureParts {
  database: Database
  keys: SigningKeys
  tokens: AccessTokens
  addresses: AddressPolicy
  delivery: Feature
  incoming: Feature
  budget: TenantBudget
}

function builtInFeatures(parts: FeatureParts): Feature[] {
  const { database, keys, tokens, addresses, delivery, incoming, budget } = parts
  const limiter = (name: string, requests: number, seconds: number) =>
    createLimiter(database.executor, { name, requests, seconds })
  const failures = limiter('failure', Number.MAX_SAFE_INTEGER, failureMemorySeconds)
  const backoff = new SignInBackoff(failures, limiter('wait', 1, 1))
  return [
    tenantFeature(budget),
    userFeature(backoff),
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

/** What this instance remembers follows what any instance changes. */
export function heedChanges({
  attendance,
  database,
  deliveries,
  directory,
  graphql,
  keys,
  log,
  revoked,
  tenantDatabases,
}: Parts): void {
  database.onChange((change) => {
    directory.heed(change)
    attendance.heed(change)
    tenantDatabases.heed(change)
    keys.heed(change)
    deliveries.heed(change)
    graphql.live.heed(change)
    revoked.heed(change).catch((error: unknown) => log.warn({ err: error }, 'revocations not read'))
  })
}
