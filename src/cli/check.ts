/**
 * `tenantry check`: everything about an application that can be known without starting it. With `--stored` it also names
 * the roles of tenants that lose something, such as permissions which the application no longer declares, or that may
 * not read rows to which others refer.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { faultyExamples } from '../api/openapi/faulty-examples.ts'
import type { Shared } from '../core/context.ts'
import { ApplicationError } from '../core/feature/application-error.ts'
import { installation } from '../core/installation.ts'
import type { OutputStream } from '../core/log/standard-output.ts'
import type { PermissionSet } from '../core/permission.ts'
import type { Config } from '../core/settings/config.ts'
import { openForInspection } from '../database/open.ts'
import { parseDatabaseUrl } from '../database/target.ts'
import { rolesThatLose } from '../identity/role/stored-roles.ts'
import { requireOwnNames } from '../service/built-in-names.ts'
import { requireRowRules, warningsOf } from '../service/declared-rows.ts'
import { requireMigrations } from '../service/declared-tables.ts'
import {
  type GuardedReference,
  guardedReferences,
  rolesWithoutTargets,
  unreadReferences,
} from '../service/guarded-references.ts'
import { postgresOptions } from '../service/parts.ts'
import { createService, type Service } from '../service/service.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { print, type Run } from './command.ts'

/** @throws ApplicationError, TablesDiffer, MigrationFailed, ConfigError */
export const check: Run = async (config, { flags }, options, { output, errors }) => {
  requireOwnNames(options)
  requireRowRules(options)
  for (const text of warningsOf(options)) print(errors, `tenantry: ${text}`)
  requireMigrations(options)
  // The snapshot describes the tables that the migrations of the application make. `requireMigrations` compares it.
  if (options.migrations !== undefined) print(output, 'The definitions are those of the snapshot.')
  await withUnstartedService(config, options, async ({ features, openApi, operator }) => {
    print(output, 'The migrations run on an empty database.')
    print(output, 'The schema of GraphQL is valid.')
    requireDocument(openApi(), options)
    print(output, 'The OpenAPI document is valid, and so are its examples.')
    const { shared } = await operator()
    // References to rows that need a further permission: a role without that permission reads their ids alone.
    const references = guardedReferences(features)
    for (const sentence of rolesWithoutTargets(references, shared)) print(output, sentence)
    if (flags.has('stored')) await checkStored(config, { shared, references }, output)
  })
  return 0
}

/** Creates a service on a temporary embedded database. The databases of the settings are not opened. */
async function withUnstartedService(
  config: Config,
  options: ServiceOptions,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tenantry-check-'))
  try {
    const own = { dataDir, databaseUrl: `sqlite:${join(dataDir, 'tenantry.db')}` }
    const service = await createService({ ...config, ...own }, { ...options, log: pino({ level: 'silent' }) })
    try {
      await work(service)
    } finally {
      await service.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Reads the database of the settings as it is, without migrating it. @throws DatabaseUnavailable */
async function checkStored(
  config: Config,
  { shared, references }: { shared: Shared; references: readonly GuardedReference[] },
  output: OutputStream,
): Promise<void> {
  const target = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  const { exists, ...opened } = await openForInspection(target, postgresOptions(config))
  await using database = opened.database
  if (!exists) return print(output, 'There is no database yet, and so no role of a tenant.')
  const stored = installation(database.executor, 'the roles of every tenant are checked')
  let found = 0
  const unreadBy = (permissions: PermissionSet) => unreadReferences(references, permissions)
  for await (const sentence of rolesThatLose(stored, shared, unreadBy)) {
    print(output, sentence)
    found++
  }
  if (found === 0) print(output, 'No role of a tenant loses anything.')
}

/** @throws ApplicationError */
function requireDocument(text: string, { features = [] }: ServiceOptions): void {
  const faults = [
    ...repeatedIds(text).map((id) => `Two operations have the id ${id}: give one of the routes a name.`),
    ...faultyExamples(features.flatMap(({ routes }) => routes ?? [])),
  ]
  if (faults.length > 0)
    throw new ApplicationError(`The OpenAPI document is not valid:\n  ${faults.join('\n  ')}`)
}

function repeatedIds(text: string): string[] {
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId?: string }>> } // it is ours
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  )
  return [...new Set(ids.filter((id, place) => ids.indexOf(id) !== place))]
}
