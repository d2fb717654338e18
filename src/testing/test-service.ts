import { findApplication } from '../cli/define-config.ts'
import { hostTenantId } from '../core/context.ts'
import { loadConfig } from '../core/settings/config.ts'
import { createFirstAdmin } from '../identity/initialization/initialization.ts'
import { createService, type Service } from '../service/service.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import type { TenantInput } from '../tenancy/schema.ts'
import { CollectedMails, type TestMail } from './collected-mails.ts'
import { TestCaller } from './test-caller.ts'
import { type Duration, TestClock } from './test-clock.ts'
import { newTestDatabase } from './test-database.ts'
import { TestTenant, testPassword } from './test-tenant.ts'

/** Starts a service for tests of an application: with a fresh database, a clock of its own, and collected mails. */

export interface TestServiceOptions extends Omit<ServiceOptions, 'clock'> {
  /** The file that exports the application; by default that of the working directory. Unused with `features`. */
  config?: string | URL
  /** A PostgreSQL server, by the address of any of its databases; SQLite if absent. */
  databaseUrl?: string
  /** Settings, as in the environment, which is not read. */
  settings?: Readonly<Record<string, string>>
}

/** A service that listens on a free port, with a fresh database. */
export interface TestService extends AsyncDisposable {
  readonly service: Service
  readonly url: string
  readonly clock: TestClock
  /** A caller without a token. */
  readonly anonymous: TestCaller
  /** An administrator of the host tenant. */
  readonly host: TestCaller
  /** Creates a tenant with an administrator and a user. @param input without an id, one is made up */
  newTenant(input?: Partial<Omit<TenantInput, 'admin'>>): Promise<TestTenant>
  /** Moves the clock, and waits until all queued work that is due then is done, such as deliveries. */
  advance(duration: Duration): Promise<void>
  /** Waits until all queued work that is due is done. */
  settle(): Promise<void>
  /** Waits until all queued work that is due is done. @returns the mails sent so far, the oldest first */
  mails(): Promise<readonly TestMail[]>
  /** Runs a job that a feature runs at intervals, now. @throws Error if there is no such job; what the job throws */
  runJob(name: string): Promise<void>
  /** Stops the service, and removes its database and its files. */
  stop(): Promise<void>
}

/** @throws ApplicationError, ConfigError and whatever `createService` throws */
export async function createTestService(given: TestServiceOptions = {}): Promise<TestService> {
  const { config: file, databaseUrl, settings, ...options } = given
  const application = options.features === undefined ? await findApplication(file ?? null) : null
  const database = newTestDatabase(databaseUrl)
  let service: Service | null = null
  const stop = async (): Promise<void> => {
    await service?.stop()
    await database.remove()
  }
  try {
    const { url: DATABASE_URL, dataDir: DATA_DIR } = database
    const environment = { ...defaultSettings, DATABASE_URL, DATA_DIR, ...settings }
    const config = loadConfig(environment, database.dataDir)
    const clock = new TestClock()
    const mails = new CollectedMails()
    const own = { ...defaultOptions, mailTransport: mails, ...application, ...options }
    service = await createService(config, { ...own, clock: clock.now })
    return await startedService(service, { clock, mails }, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

const defaultSettings = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  // Tests make tenants and invite people as quickly as they like.
  MAIL_NEW_TENANT_PER_DAY: '1000000',
  MAIL_NETWORK_PER_DAY: '1000000',
}

const unlimited = { units: Number.MAX_SAFE_INTEGER, windowSeconds: 1 }
const unlimitedMs = 1e9

/**
 * Cheap hashes, no limits on rates and costs, and quick stops: tests sign in often, from one address, on busy
 * machines.
 */
const defaultOptions: ServiceOptions = {
  passwordCost: { memory: 64, passes: 1 },
  strictRequests: 1_000_000,
  mailRequests: 1_000_000,
  costPolicies: {
    address: unlimited,
    user: unlimited,
    tenant: unlimited,
    anonymous: unlimited,
    operationMs: { anonymous: unlimitedMs, user: unlimitedMs },
  },
  lingerMs: 20,
  metricsMaxAgeMs: 0,
}

async function startedService(
  service: Service,
  { clock, mails }: { clock: TestClock; mails: CollectedMails },
  stop: () => Promise<void>,
): Promise<TestService> {
  const url = await service.start()
  const operator = await service.operator()
  const admin = { userName: 'admin', password: testPassword }
  const names = { firstName: 'Ada', lastName: 'Lovelace', email: 'admin@example.com' }
  const { id } = await createFirstAdmin(operator, { ...admin, ...names })
  const settle = () => service.queueWorkers.drain()
  let stopped: Promise<void> | null = null
  const stopOnce = (): Promise<void> => {
    stopped ??= stop()
    return stopped
  }
  return {
    service,
    url,
    clock,
    settle,
    anonymous: new TestCaller(url, clock),
    host: new TestCaller(url, clock, { id, ...admin, tenantId: hostTenantId }),
    newTenant: (input = {}) => TestTenant.create({ url, clock, operator, actorOf: service.actorOf }, input),
    advance: async (duration) => {
      clock.advance(duration)
      await settle()
    },
    mails: async () => {
      await settle()
      return mails.list()
    },
    runJob: async (name) => {
      const jobs = service.features.flatMap((feature) => feature.jobs ?? [])
      for (const job of jobs)
        if (job.name === name && 'everyMs' in job) return job.run(operator, new AbortController().signal)
      throw new Error(`No feature has a job ${name} at intervals.`)
    },
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  }
}
