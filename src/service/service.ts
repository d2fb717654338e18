/** Assembles a service, starts it and stops it. */
import type { FastifyInstance } from 'fastify'
import { proxyWarning } from '../api/http/connection/proxy.ts'
import type { Actor, Context } from '../core/context.ts'
import { operatorContext } from '../core/create-context.ts'
import type { Feature } from '../core/feature/feature.ts'
import { intervalJobsOf, startJobs } from '../core/jobs.ts'
import { descriptorLimit } from '../core/limits/descriptor-limit.ts'
import { createLog } from '../core/log/log.ts'
import type { QueueWorkers } from '../core/queue/workers.ts'
import { addressOf, type Config } from '../core/settings/config.ts'
import { permissionWarnings } from '../database/private-file.ts'
import type { SigningKeys } from '../identity/key/signing-keys.ts'
import { warnOfMail } from '../mail/warn.ts'
import { logOpenFiles } from '../tenancy/open-files.ts'
import { warnOfClock } from '../webhooks/outgoing/clock.ts'
import type { Deliveries } from '../webhooks/outgoing/deliveries.ts'
import { buildApp } from './app.ts'
import { eventDecisions } from './declared-row-rules.ts'
import { warningsOf } from './declared-rows.ts'
import { openParts, prepareParts } from './parts.ts'
import type { LoggedOptions, ServiceOptions } from './service-options.ts'

export interface Service {
  /** The Fastify instance: `app.inject()` sends requests without a socket. */
  readonly app: FastifyInstance
  readonly features: readonly Feature[]
  readonly keys: SigningKeys
  /** The deliveries of this instance. */
  readonly deliveries: Deliveries
  /** The workers of the queues, which run while the service runs. */
  readonly queueWorkers: QueueWorkers
  /** The OpenAPI document, as JSON. @throws ApplicationError for two schemas of one name */
  readonly openApi: () => string
  /** GraphQL subscriptions on this instance. */
  readonly subscriptions: { readonly count: number }
  /**
   * Makes this instance encrypt under another master key (32 bytes), and decrypt with further ones.
   * @returns their ids, beginning with the key that encrypts
   * @throws Error when the current key is not among them; nothing is changed
   */
  changeMasterKeys(masterKey: Uint8Array, previous: readonly Uint8Array[]): string[]
  /** A context with the rights of the operator, for commands and jobs. */
  operator(): Promise<Context>
  /** The user of an access token, with what it may do now, as for a request. @throws ServiceError `unauthorized` */
  actorOf(token: string): Promise<Actor>
  /** Listens; stops after a failure. @returns the address, e.g. `http://localhost:3000` @throws CannotListen */
  start(): Promise<string>
  /** Lets requests in flight finish, refuses new ones, and closes the databases. */
  stop(): Promise<void>
}

/**
 * Opens and migrates the database, and mounts every feature on a server that does not listen yet. Until the service is
 * stopped, no other process can serve from an embedded database.
 * @throws AlreadyServed, DatabaseUnavailable, MigrationFailed
 */
export async function createService(config: Config, given: ServiceOptions = {}): Promise<Service> {
  const options = { ...given, log: given.log ?? (await createLog(config)) }
  const parts = await openParts(config, options, 'serve')
  const { database, deliveries, directory, features, hashQueue, keys, queueWorkers, recovery, shared } = parts
  let stopping = false
  let stopJobs = async (): Promise<void> => undefined
  const operator = async () => operatorContext(shared, await directory.host())
  try {
    await prepareParts(parts)
    tellAtStart(config, options, features)
    const { app, listener, metricsListener, openApi, closeStreams } = await buildApp(
      config,
      parts,
      options,
      () => stopping,
    )
    const stop = once(async () => {
      stopping = true
      const queuesStopped = queueWorkers.stop()
      await closeStreams()
      await app.close()
      await stopJobs()
      await hashQueue.close()
      await recovery.close()
      await queuesStopped
      await metricsListener.close()
    }, parts.close)
    return {
      app,
      features,
      keys,
      deliveries,
      queueWorkers,
      openApi,
      subscriptions: {
        get count() {
          return parts.graphql.subscriptionCount
        },
      },
      operator,
      actorOf: async (token) => parts.tokens.verify(token),
      changeMasterKeys: (masterKey, previous) => {
        shared.secretBox.changeKeys(masterKey, previous)
        return shared.secretBox.keyIds
      },
      start: async () => {
        try {
          await database.syncOffThread?.()
          logOpenFiles(shared.log, descriptorLimit(), config.openTenantDatabases)
          if (config.metricsPort !== null) await metricsListener.listen(config.host, config.metricsPort)
          const port = await listener.listen(config.host, config.port)
          stopJobs = startJobs(intervalJobsOf(features), await operator())
          queueWorkers.start()
          await warnOfClock(shared)
          warnOfMail(shared)
          return addressOf(config.host, port)
        } catch (error) {
          await stop()
          throw error
        }
      },
      stop,
    }
  } catch (error) {
    await parts.close()
    throw error
  }
}

/** Writes to the log what the author and the operator should know. */
function tellAtStart(config: Config, options: LoggedOptions, features: readonly Feature[]): void {
  const warnings = [...permissionWarnings(config), proxyWarning(config.trustProxy), ...warningsOf(options)]
  for (const text of warnings) if (text !== null) options.log.warn(text)
  const decisions = eventDecisions(features)
  if (Object.values(decisions).some((names) => names.length > 0))
    options.log.info(decisions, 'rules of rows decide who is told of events')
}

/** A second call waits for the first. @param last runs after the work, also after a failure */
function once(work: () => Promise<void>, last: () => Promise<void>): () => Promise<void> {
  const run = async (): Promise<void> => {
    try {
      await work()
    } finally {
      await last()
    }
  }
  let running: Promise<void> | null = null
  return () => {
    running ??= run()
    return running
  }
}
