/** Reads the environment once into a typed and validated object. No other file reads `process.env`. */

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { errorMessage } from '../../database/thrown.ts'
import { type MissingKey, readMasterKey, readPreviousKeys } from '../encryption/master-key.ts'
import { type FileConfig, fileConfig } from './file-config.ts'
import { type PersistedOperations, readOperations } from './graphql-operations.ts'
import { type MailConfig, mailConfig, mailSignInFault } from './mail-config.ts'
import type { TrustProxy } from './parse.ts'
import type { AndroidApp } from './passkey-settings.ts'
import type { Policy, SignInLimit } from './rate-limit-policy.ts'
import { type Settings, settings } from './settings.ts'
import type { SignUpMode } from './sign-up-settings.ts'
import { unknownInEnvironment, unknownInFile } from './unknown-setting.ts'

export interface Config extends FileConfig, MailConfig {
  production: boolean
  port: number
  /** `localhost` stands for its addresses of both families. */
  host: string
  /** The port of `/metrics`; `null`: `port` serves it. */
  metricsPort: number | null
  dataDir: string
  /** `sqlite:<file>` or `postgres://…` */
  databaseUrl: string
  /** `postgres://…` of the server itself, if `databaseUrl` is that of a pooler; `null` without a pooler. */
  databaseDirectUrl: string | null
  masterKey: Uint8Array
  /** The file into which the first start writes a generated master key; `null` if the key was given. */
  newMasterKeyFile: string | null
  /** Further keys, which decrypt and never encrypt. */
  previousMasterKeys: Uint8Array[]
  baseUrl: string
  /**
   * What creating the first administrator requires; `null`: a generated token in production, nothing in development.
   */
  setupToken: string | null
  /** Where the account pages of the application are; `null`: it has none. */
  accountUrl: string | null
  baseDomain: string | null
  trustProxy: TrustProxy
  corsOrigins: string[]
  /** Further origins from which passkeys are accepted: of pages under the domain of the passkeys, or of applications. */
  passkeyOrigins: string[]
  /** Origins on other domains, also accepted: `/.well-known/webauthn` names them, so that browsers allow them. */
  passkeyRelatedOrigins: string[]
  passkeyAndroidApps: AndroidApp[]
  /** `<team id>.<bundle id>` */
  passkeyAppleApps: string[]
  logLevel: string
  graphqlIntrospection: boolean
  graphqlOperations: PersistedOperations
  graphqlOperationsOnly: boolean
  graphqlMaxCost: number
  graphqlMaxRows: number
  graphqlMaxBytes: number
  webhookAllowedNetworks: string[]
  webhookRetrySeconds: number[]
  webhookTimeoutMs: number
  webhookRetentionDays: number
  jobRetentionDays: number
  webhookBodyLimitBytes: number
  /** The address of the service of breached passwords, without the slash at the end; `null`: none is asked. */
  passwordRangeUrl: string | null
  signInLimit: SignInLimit
  sessionMaxDays: number
  signUp: SignUpMode
  /** The role of an invitation that names none, where the tenant has set no other. */
  defaultRole: string
  /** Whether `defaultRole` was set, which an application cannot overrule. */
  isDefaultRoleSet: boolean
  /** Subdomains that are reserved beside those of the service, in lower case. */
  reservedSubdomains: string[]
  rateLimits: Policy[]
  /** Whether unknown input in requests is refused. */
  strictInput: boolean
  compressReplies: boolean
  bodyLimitBytes: number
  requestTimeoutMs: number
  /** The maximum of connections from clients. */
  maxConnections: number
  databaseConnections: number
  /** The maximum of connections to all tenant databases together. */
  tenantDatabaseConnections: number
  openTenantDatabases: number
  /** The size of Node's thread pool, which `UV_THREADPOOL_SIZE` of the environment sets. */
  threadPoolSize: number
}

/** An error with all faults of the settings. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(['The configuration is not valid:', ...faults.map((fault) => `  - ${fault}`)].join('\n'))
    this.faults = faults
  }
}

type Values = Record<string, string>

const defaultThreadPoolSize = 4
const maxThreadPoolSize = 1024

/**
 * Reads the environment and the `.env` file in the directory; the environment wins.
 * @param missingKey what happens without a master key
 * @throws ConfigError naming every fault
 */
export function loadConfig(
  environment: NodeJS.ProcessEnv = process.env,
  directory: string = process.cwd(),
  missingKey: MissingKey = 'generate',
): Config {
  const faults: string[] = []
  const fromFile = readEnvFile(join(directory, '.env'), faults)
  const given = definedOnly(environment)
  faults.push(...unknownInFile(Object.keys(fromFile)))
  faults.push(...unknownInEnvironment(Object.keys(given).filter((name) => !Object.hasOwn(fromFile, name))))
  return readConfig({ ...fromFile, ...given }, { directory, missingKey }, faults)
}

interface ConfigSource {
  directory: string
  missingKey: MissingKey
}

function readConfig(values: Values, { directory, missingKey }: ConfigSource, faults: string[]): Config {
  const production = values['NODE_ENV'] === 'production'
  const read = readSettings(values, faults)
  const dataDir = resolve(directory, read.DATA_DIR)
  const databaseUrl = absoluteUrl(read.DATABASE_URL ?? `sqlite:${join(dataDir, 'tenantry.db')}`, directory)
  const file = read.GRAPHQL_OPERATIONS
  const graphqlOperations = readOperations(file === null ? null : resolve(directory, file), faults)
  const required = production && !databaseUrl.startsWith('sqlite:')
  const masterKey = readMasterKey(read.MASTER_KEY, { dataDir, required, missing: missingKey }, faults)
  const previousMasterKeys = readPreviousKeys(read.PREVIOUS_MASTER_KEYS, faults)
  if (read.METRICS_PORT !== null && read.METRICS_PORT === read.PORT)
    faults.push('METRICS_PORT: must be another port than PORT')
  const signInFault = mailSignInFault(read)
  if (signInFault !== null) faults.push(signInFault)
  if (faults.length > 0 || masterKey === null) throw new ConfigError(faults)
  const host = read.HOST ?? (production ? '0.0.0.0' : 'localhost')
  const baseUrl = read.BASE_URL ?? addressOf(host, read.PORT)
  return {
    production,
    port: read.PORT,
    host,
    metricsPort: read.METRICS_PORT,
    dataDir,
    databaseUrl,
    masterKey: masterKey.key,
    newMasterKeyFile: masterKey.newFile,
    previousMasterKeys,
    baseUrl,
    ...identityConfig(read),
    baseDomain: read.BASE_DOMAIN,
    trustProxy: read.TRUST_PROXY,
    corsOrigins: read.CORS_ORIGINS,
    ...passkeyConfig(read),
    logLevel: read.LOG_LEVEL,
    graphqlIntrospection: read.GRAPHQL_INTROSPECTION ?? !production,
    graphqlOperations,
    graphqlOperationsOnly: read.GRAPHQL_OPERATIONS_ONLY,
    graphqlMaxCost: read.GRAPHQL_MAX_COST,
    graphqlMaxRows: read.GRAPHQL_MAX_ROWS,
    graphqlMaxBytes: read.GRAPHQL_MAX_BYTES,
    webhookAllowedNetworks: read.WEBHOOK_ALLOWED_NETWORKS,
    webhookRetrySeconds: read.WEBHOOK_RETRY_SECONDS,
    webhookTimeoutMs: read.WEBHOOK_TIMEOUT_MS,
    webhookRetentionDays: read.WEBHOOK_RETENTION_DAYS,
    jobRetentionDays: read.JOB_RETENTION_DAYS,
    webhookBodyLimitBytes: read.WEBHOOK_BODY_LIMIT_BYTES,
    rateLimits: read.RATE_LIMITS,
    strictInput: read.STRICT_INPUT,
    compressReplies: read.COMPRESS_REPLIES,
    bodyLimitBytes: read.BODY_LIMIT_BYTES,
    requestTimeoutMs: read.REQUEST_TIMEOUT_MS,
    maxConnections: read.MAX_CONNECTIONS,
    ...databaseConfig(read),
    threadPoolSize: readThreadPoolSize(values),
    ...fileConfig(read),
    ...mailConfig(read, baseUrl),
  }
}

/**
 * Makes the path of a SQLite file absolute: a relative path starts at the directory, as that of the data folder
 * does.
 */
function absoluteUrl(databaseUrl: string, directory: string): string {
  if (!databaseUrl.startsWith('sqlite:')) return databaseUrl
  return `sqlite:${resolve(directory, databaseUrl.slice('sqlite:'.length))}`
}

function databaseConfig(read: Settings) {
  return {
    databaseDirectUrl: read.DATABASE_DIRECT_URL,
    databaseConnections: read.DATABASE_CONNECTIONS,
    tenantDatabaseConnections: read.TENANT_DATABASE_CONNECTIONS,
    openTenantDatabases: read.OPEN_TENANT_DATABASES,
  }
}

function passkeyConfig(read: Settings) {
  return {
    passkeyOrigins: read.PASSKEY_ORIGINS,
    passkeyRelatedOrigins: read.PASSKEY_RELATED_ORIGINS,
    passkeyAndroidApps: read.PASSKEY_ANDROID_APPS,
    passkeyAppleApps: read.PASSKEY_APPLE_APPS,
  }
}

function identityConfig(read: Settings) {
  return {
    accountUrl: read.ACCOUNT_URL,
    setupToken: read.SETUP_TOKEN,
    passwordRangeUrl: read.PASSWORD_RANGE_URL,
    signInLimit: read.SIGN_IN_LIMIT,
    sessionMaxDays: read.SESSION_MAX_DAYS,
    signUp: read.SIGN_UP,
    defaultRole: read.DEFAULT_ROLE ?? 'User',
    isDefaultRoleSet: read.DEFAULT_ROLE !== null,
    reservedSubdomains: read.RESERVED_SUBDOMAINS,
  }
}

/**
 * Whether npm or npx runs this process. They do so through a shell, which does not forward the signal of a stop: the
 * service then has to notice by itself that its parent has ended.
 */
export function startedByNpm(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment['npm_lifecycle_event'] !== undefined
}

/** @returns the package manager that runs the process, as npm, pnpm and Yarn say: `npm/11.19.1 node/v26.10.0 linux` */
export function installerOf(environment: NodeJS.ProcessEnv = process.env): string | null {
  return environment['npm_config_user_agent']?.split('/')[0] ?? null
}

/** The address of the service for a browser on the same machine. */
export function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Reads the size as libuv does: 1 for text that is not a number. libuv does not read the file `.env`. */
function readThreadPoolSize({ UV_THREADPOOL_SIZE: text }: Values): number {
  const given = text === undefined ? defaultThreadPoolSize : Number.parseInt(text, 10)
  return Math.min(maxThreadPoolSize, Math.max(1, given || 1))
}

/** An empty value counts as absent: Compose writes it for a variable that is not set. */
function readSettings(values: Values, faults: string[]): Settings {
  const entries = Object.entries(settings).map(([name, { parse, initial }]) => {
    const text = values[name]
    if (text === undefined || text === '') return [name, initial]
    try {
      return [name, parse(text)]
    } catch (error) {
      faults.push(`${name}: ${errorMessage(error)}`)
      return [name, initial]
    }
  })
  return Object.fromEntries(entries) as Settings // the same names, each with the result of its own parse
}

function readEnvFile(path: string, faults: string[]): Values {
  if (!existsSync(path)) return {}
  try {
    return definedOnly(parseEnv(readFileSync(path, 'utf8').replace(/^\ufeff/, '')))
  } catch (error) {
    faults.push(`.env: ${errorMessage(error)}`)
    return {}
  }
}

function definedOnly(values: NodeJS.Dict<string>): Values {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
