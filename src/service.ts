/** A service: its parts on a server, started and stopped. */
import type { FastifyInstance } from 'fastify'
import { addressOf, type Config } from './config.ts'
import type { Context } from './context.ts'
import { migrate } from './database/migration.ts'
import { ping } from './database/open.ts'
import { warnOfClock } from './delivery/clock.ts'
import type { Engine } from './delivery/engine.ts'
import type { Feature } from './feature.ts'
import { graphqlMetrics } from './graphql/metrics.ts'
import { Doorkeeper } from './graphql/transport/doorkeeper.ts'
import { graphqlRoutes } from './graphql/transport/rest.ts'
import { acceptWebSockets } from './graphql/transport/web-socket.ts'
import { isStillAdmitted } from './http/admission.ts'
import { healthRoutes } from './http/health.ts'
import { Listener } from './http/listener.ts'
import { createMetrics, registerMetrics, serveMetrics } from './http/metrics.ts'
import { mountRoute, releaseLeases } from './http/mount.ts'
import { openApiText } from './http/openapi.ts'
import { createLimiter, limitRequests, strict } from './http/rate-limit.ts'
import { registerReferencePages } from './http/reference-pages.ts'
import { logRequests } from './http/request-log.ts'
import { createServer } from './http/server.ts'
import { startJobs } from './jobs.ts'
import type { SigningKeys } from './key/signing-keys.ts'
import { operatorContext } from './operator.ts'
import { heedChanges, openParts, type Parts } from './parts.ts'
import { rememberColumns } from './sealing/column.ts'
import { loadDigestKeys } from './sealing/digest-key.ts'
import type { ServiceOptions } from './service-options.ts'

export interface Service {
  /** The Fastify instance: `app.inject()` asks it without a socket. */
  readonly app: FastifyInstance
  readonly features: readonly Feature[]
  readonly keys: SigningKeys
  /** Delivers webhooks while the service runs. */
  readonly deliveries: Engine
  /** GraphQL subscriptions on this instance. */
  readonly subscriptions: { readonly count: number }
  /**
   * From now on this instance seals under another master key (32 bytes), and opens with further ones.
   * @returns their ids, the one that seals first
   * @throws Error when the present key is not among them: nothing is changed
   */
  changeMasterKeys(masterKey: Uint8Array, opening: readonly Uint8Array[]): string[]
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
    const { app, listener, closeStreams } = await buildApp(config, parts, options, () => stopping)
    return {
      app,
      features,
      keys,
      deliveries,
      subscriptions: parts.graphql.live,
      operator,
      changeMasterKeys: (masterKey, opening) => {
        shared.sealer.changeKeys(masterKey, opening)
        return shared.sealer.keyIds
      },
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
        await closeStreams()
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

/** After the signing keys: a start with a master key that does not open them leaves nothing behind. */
async function prepareSealing({ database, features, shared }: Parts): Promise<void> {
  const { sealer, clock } = shared
  const columns = features.flatMap(({ sealed }) => sealed ?? [])
  sealer.allow(columns.map(({ purpose }) => purpose))
  await rememberColumns(database, columns)
  const purposes = features.flatMap(({ digests }) => digests ?? [])
  await loadDigestKeys(database, { sealer, purposes, now: clock().toISOString() })
}

async function buildApp(config: Config, parts: Parts, options: ServiceOptions, isStopping: () => boolean) {
  const { database, features, graphql, keys, log, migrations, revoked, shared, tokens } = parts
  await migrate(database, migrations)
  await keys.signer()
  await prepareSealing(parts)
  await revoked.load()
  heedChanges(parts)
  const app = await createServer({ ...config, log })
  const listener = new Listener(app, options.lingerMs)
  const { directory } = parts
  const hosts = { baseDomain: config.baseDomain, ownHost: new URL(config.baseUrl).hostname }
  const admission = { tokens, revoked, directory, hosts }
  const doorkeeper = new Doorkeeper((authorization, tenantId) =>
    isStillAdmitted(authorization, tenantId, admission),
  )
  const routes = [
    ...features.flatMap((feature) => feature.routes ?? []),
    ...graphqlRoutes({ gateway: graphql, doorkeeper, keepAliveMs: options.keepAliveMs }),
    ...healthRoutes([{ name: 'database', check: () => ping(database.executor) }], isStopping),
  ]
  releaseLeases(app)
  logRequests(app, log)
  const metrics = createMetrics()
  registerMetrics(metrics, [
    ...features.flatMap((feature) => feature.metrics ?? []),
    ...graphqlMetrics(graphql),
  ])
  serveMetrics(app, metrics)
  registerReferencePages(app, openApiText(routes, { version: 'v1', baseUrl: config.baseUrl }))
  const limits = { strict: limitRequests(createLimiter(database.executor, strict), strict) }
  for (const route of routes) mountRoute(app, route, { ...admission, shared, limits })
  const closeWebSockets = acceptWebSockets(app.server, {
    ...{ gateway: graphql, doorkeeper, admission, shared },
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    messageLimitBytes: config.bodyLimitBytes,
  })
  await app.ready()
  const closeStreams = async (): Promise<void> => {
    await closeWebSockets() // first: a subscription that ends on an open one is told to be complete
    graphql.live.stop()
  }
  return { app, listener, closeStreams }
}
