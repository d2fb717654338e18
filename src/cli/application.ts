/** Finds, loads and checks the file that says what an application consists of. */

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ApplicationError } from '../core/feature/application-error.ts'
import type { Feature } from '../core/feature/feature.ts'
import { suggestion } from '../core/names.ts'
import { type Migrations, readMigrations } from '../database/schema/read-migrations.ts'
import { errorCode } from '../database/thrown.ts'
import { packageFolder } from '../database/version.ts'
import { declaredTables } from '../service/declared-tables.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { type ApplicationConfig, copyOf, type DefinedConfig } from './application-config.ts'

const endings = ['ts', 'js', 'mjs']
export const configNames: readonly string[] = endings.map((ending) => `tenantry.config.${ending}`)

export interface FoundConfig {
  /** An absolute path. */
  file: string
  config: DefinedConfig
}

/**
 * @param named a file, if not that of the folder
 * @returns `null` if no file is named and the folder has none
 * @throws ApplicationError
 */
export async function findConfig(named: string | null, folder = process.cwd()): Promise<FoundConfig | null> {
  const file = named === null ? fileIn(folder) : resolve(folder, named)
  if (file === null) return null
  if (!existsSync(file)) throw new ApplicationError(`There is no file ${file}.`)
  const { default: exported } = await importFile(file)
  if (!isDefined(exported))
    throw new ApplicationError(`${file} exports ${kindOf(exported)} by default, and not defineConfig({ … }).`)
  return { file, config: exported }
}

function fileIn(folder: string): string | null {
  const names = configNames.filter((each) => existsSync(join(folder, each)))
  const [name, ...others] = names
  if (name === undefined) return null
  if (others.length === 0) return join(folder, name)
  throw new ApplicationError(`${folder} has ${names.join(' and ')}: name one of them with --config.`)
}

async function importFile(file: string): Promise<{ default?: unknown }> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    throw new ApplicationError(`${file} cannot be loaded: ${reasonOf(error)}`, { cause: error })
  }
}

/** @returns the message with the lines of the application in the stack, or the message alone if Node.js cannot load a file */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isOfLoader = /^ERR_(MODULE|PACKAGE|UNSUPPORTED|UNKNOWN)_/.test(errorCode(error))
  if (isOfLoader || error.stack === undefined) return error.message
  const lines = error.stack.split('\n')
  return lines.filter((line) => !foreignFrame.test(line) && !isOwnFrame(line)).join('\n')
}

const foreignFrame = /^ {4}at .*\bnode:/

function isOwnFrame(line: string): boolean {
  return (
    /^ {4}at /.test(line) &&
    ['src/', 'dist/'].some((folder) => line.includes(`${packageFolder.href}${folder}`))
  )
}

/** Whether it is what `defineConfig` has returned, of whatever copy of the package. */
function isDefined(exported: unknown): exported is DefinedConfig {
  return typeof exported === 'object' && exported !== null && copyOf in exported
}

function kindOf(exported: unknown): string {
  if (exported === undefined || exported === null) return 'nothing'
  return Array.isArray(exported)
    ? 'an array'
    : `${typeof exported === 'object' ? 'an' : 'a'} ${typeof exported}`
}

/** The options of `defineConfig`: the compiler refuses a missing one. */
const members = Object.keys({
  features: true,
  without: true,
  attributes: true,
  roles: true,
  defaultRoles: true,
  console: true,
  requireRows: true,
  migrations: true,
} satisfies Record<keyof ApplicationConfig, true>)

/** @param file that exports the definition @throws ApplicationError, MigrationFileError */
export function readApplication(config: ApplicationConfig, file: string): ServiceOptions {
  const unknown = Object.keys(config).find((name) => !members.includes(name))
  if (unknown !== undefined)
    throw new ApplicationError(`${file}: there is no option ${unknown}${suggestion(unknown, members)}`)
  requireFeatures(config.features, file)
  const {
    migrations: _folder,
    [copyOf]: _copy,
    ...options
  }: Partial<DefinedConfig> & ApplicationConfig = config
  const migrations = migrationsOf(config, file)
  return { ...options, ...(migrations !== null && { migrations }) }
}

/** Checks what the compiler does not check in a file in JavaScript. */
function requireFeatures(features: readonly Feature[] | undefined, file: string): void {
  if (!Array.isArray(features)) throw new ApplicationError(`${file}: features must be a list of features.`)
  const names = new Set<string>()
  for (const [place, feature] of features.entries()) {
    const name: unknown = feature?.name
    if (typeof name !== 'string' || name === '')
      throw new ApplicationError(`${file}: features[${place}] is no feature, because it has no name.`)
    if (names.has(name)) throw new ApplicationError(`${file}: features has ${name} twice.`)
    names.add(name)
  }
}

/** The default folder is used if features declare tables, or if it has the snapshot of an earlier migration. */
function migrationsOf({ features, migrations }: ApplicationConfig, file: string): Migrations | null {
  if (migrations !== undefined) {
    const folder = typeof migrations === 'string' ? migrations : fileURLToPath(migrations)
    return readMigrations(resolve(dirname(file), folder))
  }
  const folder = join(dirname(file), 'migrations')
  const isUsed = declaredTables(features).length > 0 || existsSync(join(folder, 'snapshot.json'))
  return isUsed ? readMigrations(folder) : null
}
