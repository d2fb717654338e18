/** The commands `tenantry backup` and `tenantry restore`. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { operatorContext } from '../core/create-context.ts'
import { SecretBox } from '../core/encryption/secret-box.ts'
import { ServiceError } from '../core/errors.ts'
import { createLog } from '../core/log/log.ts'
import type { OutputStream } from '../core/log/standard-output.ts'
import type { Config } from '../core/settings/config.ts'
import { registry } from '../core/tenant/directory.ts'
import { ensureIdentity } from '../database/database-identity.ts'
import { migrate } from '../database/migrate/apply.ts'
import type { Migration } from '../database/migration.ts'
import { openDatabase, openForInspection } from '../database/open.ts'
import { shareDataFolder } from '../database/serving-lock.ts'
import { openEmpty } from '../database/sqlite/read-only.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { directTarget, parseDatabaseUrl } from '../database/target.ts'
import { storeFolder } from '../files/create-files.ts'
import { type BackupOptions, backUp, faultsOfBackup } from '../operations/backup/backup.ts'
import { rethrowFileError } from '../operations/backup/file.ts'
import { type BackedUpFile, type BackupManifest, isWhole } from '../operations/backup/manifest.ts'
import { usesFile } from '../operations/backup/moved-tenants.ts'
import { type RestoreOptions, restore } from '../operations/backup/restore.ts'
import { refuseUnfinishedRestore } from '../operations/backup/restore-marker.ts'
import { describeUnknownMigrations, foreignObject } from '../operations/backup/schema-check.ts'
import { markInitialized, refuseLostFile } from '../operations/lost-catalogue.ts'
import { acceptRestored } from '../operations/replace-database.ts'
import { assembleParts, type Parts, postgresOptions } from '../service/parts.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { print, type Run } from './command.ts'
import { describeFile, describeTotal } from './terminal.ts'

/** @throws ServiceError when a file could not be copied, or will not be restored */
export const backUpFiles: Run = async (config, { options }, service, { folder, output }) => {
  const to = resolve(folder, options['to'] ?? '')
  const request = {
    to,
    tenantId: options['tenant'] ?? null,
    report: (file: BackedUpFile) => print(output, describeFile(file)),
  }
  const backup = await backUpAll(config, request)
  const { manifest } = backup
  for (const { tenant, reason } of manifest.notIncluded)
    print(output, `Not included: ${tenant === null ? '' : `${tenant}, `}${reason}.`)
  print(output, `The backup is in ${to}: ${describeTotal(manifest)}.`)
  const migrations = await knownMigrations(config, service)
  const refused = await refusals(to, manifest.databases, { migrations, output })
  const faults = faultsOfBackup(backup, refused)
  if (faults.length > 0) throw new ServiceError('unavailable', faults.join(' '))
  return 0
}

/**
 * Checks the backup at once, so that the operator can correct the cause.
 * @returns the files that a restore would refuse
 */
async function refusals(
  folder: string,
  files: readonly BackedUpFile[],
  { migrations, output }: { migrations: readonly Migration[]; output: OutputStream },
): Promise<string[]> {
  const refused: string[] = []
  for (const entry of files) {
    const unknown = describeUnknownMigrations(entry, migrations)
    if (unknown !== null) {
      print(output, `${entry.file} was not checked. ${unknown}`)
      continue
    }
    const foreign = await foreignObject(join(folder, entry.file), entry, migrations)
    if (foreign === null) continue
    print(
      output,
      `${entry.file}: its ${foreign} differs from what this service creates. Remove it, or create it in a migration.`,
    )
    refused.push(entry.file)
  }
  return refused
}

/** Migrates nothing, because the running service may have another version. @throws ServiceError, DatabaseUnavailable */
export async function backUpAll(config: Config, options: BackupOptions): ReturnType<typeof backUp> {
  const { dataDir, masterKey, previousMasterKeys } = config
  const shared = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  refuseUnfinishedRestore(dataDir)
  if (shared.kind === 'sqlite' && !existsSync(shared.path))
    throw new ServiceError('invalid', `There is no database ${shared.path} to back up.`)
  refuseLostFile({ dataDir, sharedTarget: shared })
  const unlock = shareDataFolder(dataDir, shared)
  try {
    refuseUnfinishedRestore(dataDir) // again: with the lock, no restore can start
    const secretBox = new SecretBox(masterKey, previousMasterKeys)
    const source = { shared, dataDir, secretBox, contents: contentsOf(config), inspect: inspectorOf(config) }
    return await backUp(source, options)
  } catch (error) {
    return rethrowFileError(error)
  } finally {
    unlock?.()
  }
}

function inspectorOf(config: Config) {
  return (catalogue: DatabaseTarget) => openForInspection(catalogue, postgresOptions(config))
}

function contentsOf(config: Config): string | null {
  return config.filesUrl === null ? storeFolder(config) : null
}

/** The migrations of this version and of the application's features, independent of any database. */
async function knownMigrations(config: Config, options: ServiceOptions): Promise<readonly Migration[]> {
  await using database = openEmpty()
  const log = options.log ?? (await createLog(config))
  return assembleParts(config, { ...options, log }, database).migrations
}

export const restoreFiles: Run = async (config, { options, flags }, service, { folder, output }) => {
  const request = {
    from: resolve(folder, options['from'] ?? ''),
    force: flags.has('force'),
    report: (file: BackedUpFile) => print(output, describeFile(file)),
  }
  const { manifest, aside } = await restoreAll(config, request, service, output)
  if (aside !== null) print(output, `The former files are in ${aside}, beside the restored ones.`)
  for (const { tenant, reason } of manifest.notIncluded)
    print(output, `Not in the backup: ${tenant === null ? '' : `${tenant}, `}${reason}.`)
  print(output, `Restored as of ${manifest.startedAt}: ${describeTotal(manifest)}.`)
  return 0
}

/** @param output for remarks about single tenants @throws ServiceError, DatabaseUnavailable, DamagedFile */
export async function restoreAll(
  config: Config,
  request: Omit<RestoreOptions, 'finish'>,
  options: ServiceOptions = {},
  output: OutputStream = process.stdout,
): ReturnType<typeof restore> {
  const { dataDir, databaseUrl, databaseDirectUrl, masterKey, previousMasterKeys } = config
  const target = {
    shared: parseDatabaseUrl(databaseUrl, databaseDirectUrl),
    dataDir,
    inspect: inspectorOf(config),
    secretBox: new SecretBox(masterKey, previousMasterKeys),
    contents: contentsOf(config),
    migrations: await knownMigrations(config, options),
  }
  const finish = (manifest: BackupManifest) => prepare(config, options, manifest, output)
  return restore(target, { ...request, finish }).catch(rethrowFileError)
}

/** Migrates the restored databases as a start of the service does. */
async function prepare(
  config: Config,
  options: ServiceOptions,
  manifest: BackupManifest,
  output: OutputStream,
): Promise<void> {
  const log = options.log ?? (await createLog(config))
  const target = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  await using database = await openDatabase(directTarget(target), postgresOptions(config))
  const parts = assembleParts(config, { ...options, log }, database)
  try {
    await migrate(database, parts.migrations)
    const identity = await ensureIdentity(database)
    if (isWhole(manifest)) markInitialized(parts.tenantDatabases, identity.id, log)
    for (const { file, tenants } of manifest.databases)
      for (const id of tenants) await prepareTenant(parts, id, { config, file, output })
  } finally {
    await parts.tenantDatabases.close()
  }
}

/**
 * Marks the tenant as pending again: the catalogue may be slightly older than the tenant's file, which may contain
 * waiting deliveries.
 */
async function prepareTenant(
  { directory, shared, tenantDatabases }: Parts,
  id: string,
  { config, file, output }: { config: Config; file: string; output: OutputStream },
): Promise<void> {
  const tenant = await directory.byId(id)
  if (tenant === null) return print(output, `The catalogue has no tenant ${id}. Its file is unused.`)
  const reader = {
    catalogue: registry(shared.catalogueDatabase.executor),
    secretBox: shared.secretBox,
    dataDir: config.dataDir,
  }
  if (!(await usesFile(reader, id, file)))
    return print(
      output,
      `Tenant ${id} is in another database. Its file is unused, and its other files stay as they are.`,
    )
  await shared.markPendingTenant(id)
  await acceptRestored(operatorContext(shared, await directory.host()), tenant)
  const lease = await tenantDatabases.lease(tenant)
  lease.release()
}
