/** The real service on a free port, with a database of its own, and callers of every kind. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Config, loadConfig } from '../../src/core/settings/config.ts'
import { createService, type Service } from '../../src/service/service.ts'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { Client } from './client.ts'
import { createPostgresDatabase, type DatabaseName, migratedFile, migratedTemplate } from './databases.ts'
import { fromAnyAddress } from './http/forwarded.ts'
import { newMasterKey } from './master-key.ts'
import { SharedResources } from './run/shared-resources.ts'

export const password = 'Admin@123'

/** Of services in production. */
export const setupToken = 'a-token-of-the-tests'

/** Most tests sign in and stop, and test something else. Tests of passwords and metrics set the usual cost and age. */
export const usualOptions: ServiceOptions = {
  log: pino({ level: 'silent' }),
  passwordCost: { memory: 64, passes: 1 },
  lingerMs: 20,
  metricsMaxAgeMs: 0,
}

const anyCost = { units: Number.MAX_SAFE_INTEGER, windowSeconds: 1 }
const anyMs = 1e9

/** For tests whose requests would spend the cost units of a caller, or the time of a read on a busy machine. */
export const atAnyCost: ServiceOptions = {
  costPolicies: {
    ...{ address: anyCost, user: anyCost, tenant: anyCost, anonymous: anyCost },
    operationMs: { anonymous: anyMs, user: anyMs },
  },
}

/** Half of the life of an access token: the files of a process may take longer together, on a busy machine. */
const maxSessionMs = 7.5 * 60_000

const shared = new SharedResources(async (database: DatabaseName) => {
  const service = await startService(database)
  return { service, signedInMs: performance.now(), stop: () => service.stop() }
})

export interface TestTenant {
  id: string
  /** An administrator of the tenant. */
  admin: Client
  /** A user without the role Admin. */
  user: Client
}

export interface TestService {
  service: Service
  config: Config
  url: string
  dataDir: string
  /** A caller without a token. */
  anonymous: Client
  /** An administrator of the host tenant. */
  host: Client
  /** Signs in; each call comes from another address, so that the strict policy does not count them together. */
  signIn(userName: string, tenantId?: string, userPassword?: string): Promise<SignedIn>
  /** A fresh tenant with an administrator and a user. */
  newTenant(members?: Record<string, unknown>): Promise<TestTenant>
  stop(): Promise<void>
}

export interface SignedIn {
  client: Client
  accessToken: string
  refreshToken: string
}

/**
 * The service with default settings that the test files of a process share. Each test has a tenant of its own; what
 * looks at the host tenant, the database as a whole or the life of the service starts its own.
 */
export function sharedService(database: DatabaseName): Promise<TestService> {
  return shared.use(database, async (resource) => {
    if (performance.now() - resource.signedInMs > maxSessionMs) {
      const { service } = resource
      const { client } = await service.signIn('admin')
      resource.service = { ...service, ...callersAt(service.anonymous, client) }
      resource.signedInMs = performance.now()
    }
    return { ...resource.service, stop: () => shared.release(database) }
  })
}

/** @param settings environment variables that differ from the test defaults */
export async function startService(
  database: DatabaseName,
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-test-'))
  // A migrated database has the tables of all features.
  const template = options.without === undefined ? { postgres: migratedTemplate, sqlite: migratedFile } : {}
  const postgres = database === 'postgres' ? await createPostgresDatabase(template.postgres) : null
  const environment = {
    DATA_DIR: dataDir,
    PORT: '0',
    TRUST_PROXY: 'true',
    MAIL_NEW_TENANT_PER_DAY: '1000000',
    MAIL_NETWORK_PER_DAY: '1000000',
    MASTER_KEY: newMasterKey(),
    ...(settings['NODE_ENV'] === 'production' && { SETUP_TOKEN: setupToken }),
    ...(postgres !== null && { DATABASE_URL: postgres.url }),
    ...settings,
  }
  const config = loadConfig(environment, dataDir)
  const file = join(dataDir, 'tenantry.db')
  if (template.sqlite !== undefined && config.databaseUrl === `sqlite:${file}`)
    copyFileSync(template.sqlite, file)
  const service = await createService(config, { ...usualOptions, ...options })
  const url = await service.start()
  const anonymous = new Client(url)
  await anonymous.post('/api/init/first-admin', person('admin'), { 'x-setup-token': setupToken })
  const host = (await signInAt(anonymous)('admin')).client
  return {
    service,
    config,
    url,
    dataDir,
    ...callersAt(anonymous, host),
    stop: async () => {
      await service.stop()
      await postgres?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A valid user of this name. */
export function person(userName: string, members: Record<string, unknown> = {}): Record<string, unknown> {
  const email = `${userName}@example.com`
  return { userName, email, password, firstName: 'Ada', lastName: 'Lovelace', ...members }
}

export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`
}

/** @param host an administrator of the host tenant */
export function callersAt(
  anonymous: Client,
  host: Client,
): Pick<TestService, 'anonymous' | 'host' | 'signIn' | 'newTenant'> {
  const signIn = signInAt(anonymous)
  return { anonymous, host, signIn, newTenant: (members = {}) => newTenant(host, signIn, members) }
}

type SignInFunction = TestService['signIn']

function signInAt(anonymous: Client): SignInFunction {
  return async (userName, tenantId, userPassword = password) => {
    const headers = fromAnyAddress()
    const tenant = tenantId === undefined ? {} : { 'x-tenant-id': tenantId }
    const body = { userName, password: userPassword }
    const answer = await anonymous.post('/api/auth/login', body, { ...headers, ...tenant })
    if (answer.status !== 200) throw new Error(`${userName} cannot sign in: ${answer.status} ${answer.text}`)
    const { accessToken, refreshToken } = answer.body
    return { client: anonymous.withToken(accessToken), accessToken, refreshToken }
  }
}

async function newTenant(
  host: Client,
  signIn: SignInFunction,
  members: Record<string, unknown>,
): Promise<TestTenant> {
  const id = String(members['id'] ?? uniqueName('tenant'))
  const create = () => host.post('/api/tenants', { id, name: id, admin: person('boss'), ...members })
  let made = await create()
  // In a test that has let time pass.
  if (made.headers.has('x-step-up') && (await host.post('/api/auth/step-up', { password })).status === 200)
    made = await create()
  if (made.status !== 201) throw new Error(`No tenant: ${made.status} ${made.text}`)
  const admin = (await signIn('boss', id)).client
  const user = await admin.post('/api/users', person('worker'))
  if (user.status !== 201) throw new Error(`No user: ${user.status} ${user.text}`)
  return { id, admin, user: (await signIn('worker', id)).client }
}
