/** Reads the environment once into a typed and validated object. No other file reads `process.env`. */

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { errorMessage } from '../../database/thrown.ts'
import { type MissingKey, readMasterKey, readPreviousKeys } from '../encryption/master-key.ts'
import { type PersistedOperations, readOperations } from './graphql-operations.ts'
import { type MailNames, mailNames, mailSignInFault } from './mail-config.ts'
import { type Settings, settings } from './settings.ts'
import { unknownInEnvironment, unknownInFile } from './unknown-setting.ts'

/** The name of the member with the value of a setting: that of `MAX_CONNECTIONS` is `maxConnections`. */
type MemberOf<N extends string> = N extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<MemberOf<Rest>>}`
  : Lowercase<N>

type Named = Omit<Settings, 'NODE_ENV'>
type Members = { [N in keyof Named as MemberOf<N>]: Named[N] }

/** What follows from several settings, or from files. */
interface Derived extends MailNames {
  production: boolean
  /** `localhost` stands for its addresses of both families. */
  host: string
  dataDir: string
  /** `sqlite:<file>` or `postgres://…` */
  databaseUrl: string
  masterKey: Uint8Array
  /** The file into which the first start writes a generated master key; `null` if the key was given. */
  newMasterKeyFile: string | null
  /** Further keys, which decrypt and never encrypt. */
  previousMasterKeys: Uint8Array[]
  baseUrl: string
  graphqlIntrospection: boolean
  graphqlOperations: PersistedOperations
  /** The role of an invitation that names none, where the tenant has set no other. */
  defaultRole: string
  /** Whether `defaultRole` was set, which an application cannot overrule. */
  isDefaultRoleSet: boolean
  /** The size of Node's thread pool, which `UV_THREADPOOL_SIZE` of the environment sets. */
  threadPoolSize: number
}

/** The values of all settings, whose meaning `settings.ts` states. */
export interface Config extends Omit<Members, keyof Derived>, Derived {}

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
  const { NODE_ENV, ...read } = readSettings(values, faults)
  const production = NODE_ENV === 'production'
  const dataDir = resolve(directory, read.DATA_DIR)
  const databaseUrl = absoluteUrl(read.DATABASE_URL ?? `sqlite:${join(dataDir, 'tenantry.db')}`, directory)
  const file = read.GRAPHQL_OPERATIONS
  const graphqlOperations = readOperations(file === null ? null : resolve(directory, file), faults)
  const required = production && !databaseUrl.startsWith('sqlite:')
  const masterKey = readMasterKey(read.MASTER_KEY, { dataDir, required, missing: missingKey }, faults)
  const previousMasterKeys = readPreviousKeys(read.PREVIOUS_MASTER_KEYS, faults)
  faults.push(...conflictsOf(read))
  if (faults.length > 0 || masterKey === null) throw new ConfigError(faults)
  const host = read.HOST ?? (production ? '0.0.0.0' : 'localhost')
  const baseUrl = read.BASE_URL ?? addressOf(host, read.PORT)
  return {
    ...membersOf(read),
    ...mailNames(read, baseUrl),
    production,
    host,
    dataDir,
    databaseUrl,
    masterKey: masterKey.key,
    newMasterKeyFile: masterKey.newFile,
    previousMasterKeys,
    baseUrl,
    graphqlIntrospection: read.GRAPHQL_INTROSPECTION ?? !production,
    graphqlOperations,
    defaultRole: read.DEFAULT_ROLE ?? 'User',
    isDefaultRoleSet: read.DEFAULT_ROLE !== null,
    threadPoolSize: readThreadPoolSize(values),
  }
}

function conflictsOf(read: Named): string[] {
  const isOnePort = read.METRICS_PORT !== null && read.METRICS_PORT === read.PORT
  const signInFault = mailSignInFault(read)
  return [
    ...(isOnePort ? ['METRICS_PORT: must be another port than PORT'] : []),
    ...(signInFault === null ? [] : [signInFault]),
  ]
}

function membersOf(read: Named): Members {
  const entries = Object.entries(read).map(([name, value]) => [memberOf(name), value])
  return Object.fromEntries(entries) as Members // named as `MemberOf` says
}

function memberOf(setting: string): string {
  return setting.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Makes the path of a SQLite file absolute: a relative path starts at the directory, as that of the data folder
 * does.
 */
function absoluteUrl(databaseUrl: string, directory: string): string {
  if (!databaseUrl.startsWith('sqlite:')) return databaseUrl
  return `sqlite:${resolve(directory, databaseUrl.slice('sqlite:'.length))}`
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
