/** Wires the parts together; the only file that knows them all. */
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { auditFeature } from './audit/feature.ts'
import { categoryFeature } from './category/feature.ts'
import { addressOf, type Config } from './config.ts'
import type { Context, Shared } from './context.ts'
import { CatalogueData } from './database/data.ts'
import type { Database } from './database/executor.ts'
import { migrate } from './database/migration.ts'
import { createDatabase, openDatabase, parseDatabaseUrl, ping } from './database/open.ts'
import type { PostgresOptions } from './database/postgres/postgres-database.ts'
import { Attendance } from './delivery/attendance/attendance.ts'
import { warnOfClock } from './delivery/clock.ts'
import { Engine } from './delivery/engine.ts'
import { deliveryFeature } from './delivery/feature.ts'
import { type SlotLimits, usualLimits } from './delivery/queue/slots.ts'
import { createGuard } from './delivery/send.ts'
import { EventTypes } from './event/event-type.ts'
import { eventFeature } from './event/feature.ts'
import type { Feature } from './feature.ts'
import { healthRoutes } from './http/health.ts'
import { Listener } from './http/listener.ts'
import { createMetrics, registerMetrics, serveMetrics } from './http/metrics.ts'
import { mountRoute, releaseLeases } from './http/mount.ts'
import { openApiText } from './http/openapi.ts'
import { createLimiter, limitRequests, strict } from './http/rate-limit.ts'
import { registerReferencePages } from './http/reference-pages.ts'
import { logRequests } from './http/request-log.ts'
import { createServer } from './http/server.ts'
import { idempotencyFeature } from './idempotency/feature.ts'
import { Actions } from './incoming/action/action.ts'
import { incomingFeature } from './incoming/feature.ts'
import { isAwaited } from './incoming/retry/retry.ts'
import { Waiting } from './incoming/retry/waiting.ts'
import { initializationFeature } from './initialization/feature.ts'
import { startJobs } from './jobs.ts'
import { keyFeature } from './key/feature.ts'
import { SigningKeys } from './key/signing-keys.ts'
import { operatorContext } from './operator.ts'
import { orderFeature } from './order/feature.ts'
import { productFeature } from './product/feature.ts'
import { Sealer } from './seal.ts'
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

export interface ServiceOptions {
  /** Your own features, beside the built-in ones. */
  features?: readonly Feature[]
  /** The present moment; tests bring their own. */
  clock?: () => Date
  log?: Logger
  /** How receivers of webhooks are found and trusted, where that is not the usual way. */
  receivers?: Parameters<typeof createGuard>[1]
  /** How many deliveries may be sent at once. */
  deliveryLimits?: SlotLimits
  /** How long a stop waits for deliveries that are being sent. */
  deliveryStopWithinMs?: number
}

export interface Service {
  /** The Fastify instance: `app.inject()` asks it without a socket. */
  readonly app: FastifyInstance
  readonly features: readonly Feature[]
  readonly keys: SigningKeys
  /** Delivers webhooks while the service runs. */
  readonly deliveries: Engine
  /** A context with the rights of the operator, for commands and jobs. */
  operator(): Promise<Context>
  /** Listens. @returns the address, e.g. `http://localhost:3000` @throws CannotListen */
  start(): Promise<string>
  /** Lets requests in flight finish, refuses new ones, and closes the databases. */
  stop(): Promise<void>
}

/**
 * Opens and migrates the database, and puts every feature on a server that does not listen yet.
 * @throws DatabaseUnavailable
 */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const parts = await openParts(config, options)
  const { database, deliveries, directory, features, keys, shared, tenantDatabases } = parts
  let stopping = false
  let stopJobs = async (): Promise<void> => undefined
  const operator = async () => operatorContext(shared, await directory.host())
  const close = async (): Promise<void> => {
    await tenantDatabases.close()
    await database.close()
  }
  try {
    const { app, listener } = await buildApp(config, parts, () => stopping)
    return {
      app,
      features,
      keys,
      deliveries,
      operator,
      start: async () => {
        const port = await listener.listen(config.host, config.port)
        stopJobs = startJobs(
          features.flatMap(({ jobs }) => jobs ?? []),
          await operator(),
        )
        deliveries.start()
        await warnOfClock(shared)
        return addressOf(config.host, port)
      },
      stop: once(async () => {
        stopping = true
        const delivered = deliveries.stop()
        await app.close()
        await stopJobs()
        await delivered
        await close()
      }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A second call waits for the first. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work()
    return running
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts(config: Config, options: ServiceOptions) {
  const clock = options.clock ?? (() => new Date())
  const log = options.log ?? pino({ level: config.logLevel })
  const postgres = { ...postgresTimes, maxConnections: config.databaseConnections }
  const database = await openCatalogue(config, postgres)
  const catalogue = new CatalogueData(database.executor)
  const sealer = new Sealer(config.masterKey)
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
    ...builtInFeatures({ database, keys, tokens, addresses, delivery, incoming }),
    ...(options.features ?? []),
  ]
  const migrations = features.flatMap((feature) => feature.migrations ?? [])
  const tenantDatabases = new OwnDatabases({
    shared: database,
    catalogue,
    sealer,
    migrations: migrations.filter((migration) => migration.database === 'tenant'),
    dataDir: config.dataDir,
    capacity: config.openTenantDatabases,
    postgres,
    log,
  })
  const eventTypes = new EventTypes(features.map(({ events }) => events ?? {}))
  const actions = new Actions(features.map((feature) => feature.actions ?? {}))
  const shared: Shared = {
    ...{ clock, log, sealer, eventTypes, actions, catalogueDatabase: database, tenantDatabases },
    wakeDeliveries: (tenantId, where, everywhere) => deliveries.wake(tenantId, where, everywhere),
    attendTenant: (tenantId) => attendance.touch(tenantId),
  }
  const deliveries: Engine = new Engine({
    shared,
    attendance,
    guard: createGuard(addresses, options.receivers),
    retrySeconds: config.webhookRetrySeconds,
    deadlineMs: config.webhookTimeoutMs,
    limits: options.deliveryLimits ?? usualLimits,
    stopWithinMs: options.deliveryStopWithinMs ?? 10_000,
    tenant: (id) => directory.byId(id),
    isAwaited: async (tenantId) => isAwaited(operatorContext(shared, await directory.host()), tenantId),
  })
  return {
    database,
    deliveries,
    directory,
    features,
    keys,
    log,
    migrations,
    revoked,
    shared,
    tenantDatabases,
    tokens,
  }
}

const postgresTimes = { connectTimeoutMs: 5000, statementTimeoutMs: 30_000 }

async function openCatalogue(config: Config, postgres: PostgresOptions): Promise<Database> {
  const target = parseDatabaseUrl(config.databaseUrl)
  await createDatabase(target)
  return openDatabase(target, postgres)
}

interface FeatureParts {
  database: Database
  keys: SigningKeys
  tokens: AccessTokens
  addresses: AddressPolicy
  delivery: Feature
  incoming: Feature
}

function builtInFeatures({ database, keys, tokens, addresses, delivery, incoming }: FeatureParts): Feature[] {
  const limiter = (name: string, requests: number, seconds: number) =>
    createLimiter(database.executor, { name, requests, seconds })
  const failures = limiter('failure', Number.MAX_SAFE_INTEGER, failureMemorySeconds)
  const backoff = new SignInBackoff(failures, limiter('wait', 1, 1))
  return [
    tenantFeature,
    userFeature(backoff),
    sessionFeature({ tokens, backoff }),
    keyFeature(keys),
    auditFeature,
    initializationFeature,
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

async function buildApp(config: Config, parts: Parts, isStopping: () => boolean) {
  const { database, features, keys, log, migrations, revoked, shared, tokens } = parts
  await migrate(database, migrations)
  await keys.signer()
  await revoked.load()
  heedChanges(parts)
  const app = await createServer({ ...config, log })
  const listener = new Listener(app)
  const routes = [
    ...features.flatMap((feature) => feature.routes ?? []),
    ...healthRoutes([{ name: 'database', check: () => ping(database.executor) }], isStopping),
  ]
  releaseLeases(app)
  logRequests(app, log)
  const metrics = createMetrics()
  registerMetrics(
    metrics,
    features.flatMap((feature) => feature.metrics ?? []),
  )
  serveMetrics(app, metrics)
  registerReferencePages(app, openApiText(routes, { version: 'v1', baseUrl: config.baseUrl }))
  const limits = { strict: limitRequests(createLimiter(database.executor, strict), strict) }
  const { directory } = parts
  const mounting = { shared, tokens, revoked, directory, baseDomain: config.baseDomain, limits }
  for (const route of routes) mountRoute(app, route, mounting)
  await app.ready()
  return { app, listener }
}

/** What this instance remembers follows what any instance changes. */
function heedChanges({ database, deliveries, directory, keys, log, revoked, tenantDatabases }: Parts): void {
  database.onChange((change) => {
    directory.heed(change)
    tenantDatabases.heed(change)
    keys.heed(change)
    deliveries.heed(change)
    revoked.heed(change).catch((error: unknown) => log.warn({ err: error }, 'revocations not read'))
  })
}
