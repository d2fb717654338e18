import { basename, resolve } from 'node:path'
import { Sealer } from '../core/encryption/secret-box.ts'
import { createLog } from '../core/log/log.ts'
import type { Config } from '../core/settings/config.ts'
import { CatalogueData } from '../database/data.ts'
import { migrate } from '../database/migration.ts'
import { openDatabase, parseDatabaseUrl } from '../database/open.ts'
import { tellRefusal } from '../operations/backup/file.ts'
import type { BackedUpFile, Manifest } from '../operations/backup/manifest.ts'
import { type RestoreWish, restore } from '../operations/backup/restore.ts'
import { assembleParts, type Parts, postgresOptions } from '../service/parts.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { findOwnDatabaseTarget } from '../tenancy/own-database-targets.ts'
import { print, type Run } from './command.ts'
import { describeFile, describeTotal } from './file-size.ts'
import { knownMigrations } from './known-migrations.ts'

export const restoreFiles: Run = async (config, { options, flags }, service) => {
  const wish = {
    from: resolve(options['from'] ?? ''),
    force: flags.has('force'),
    tell: (file: BackedUpFile) => print(describeFile(file)),
  }
  const { manifest, aside } = await restoreAll(config, wish, service)
  if (aside !== null) print(`What was there before is in ${aside}, beside it.`)
  for (const { tenant, reason } of manifest.notIncluded)
    print(`Not in the backup: ${tenant === null ? '' : `${tenant}, `}${reason}.`)
  print(`Restored as of ${manifest.startedAt}: ${describeTotal(manifest.databases)}.`)
  return 0
}

/** @throws ServiceError, DatabaseUnavailable, DamagedFile */
export async function restoreAll(
  config: Config,
  wish: Omit<RestoreWish, 'finish'>,
  options: ServiceOptions = {},
): ReturnType<typeof restore> {
  const { dataDir, databaseUrl, masterKey, masterKeysOpening } = config
  const place = {
    shared: parseDatabaseUrl(databaseUrl),
    dataDir,
    sealer: new Sealer(masterKey, masterKeysOpening),
    migrations: await knownMigrations(config, options),
  }
  return restore(place, { ...wish, finish: (manifest) => prepare(config, options, manifest) }).catch(
    tellRefusal,
  )
}

/** Opens what was restored as the service does, which migrates it. */
async function prepare(config: Config, options: ServiceOptions, manifest: Manifest): Promise<void> {
  const log = options.log ?? (await createLog(config))
  const database = await openDatabase(parseDatabaseUrl(config.databaseUrl), postgresOptions(config))
  const parts = assembleParts(config, { ...options, log }, database)
  try {
    await migrate(database, parts.migrations)
    for (const { file, tenants } of manifest.databases)
      for (const id of tenants) await prepareTenant(parts, id, { config, file })
  } finally {
    await parts.tenantDatabases.close()
    await database.close()
  }
}

/**
 * The catalogue may be older than the tenant's file by a moment: its mark says again that something may wait there
 * to be delivered.
 */
async function prepareTenant(
  { directory, shared, tenantDatabases }: Parts,
  id: string,
  { config, file }: { config: Config; file: string },
): Promise<void> {
  const tenant = await directory.byId(id)
  if (tenant === null) return print(`There is no tenant ${id} in the catalogue; its file lies unused.`)
  const reader = {
    catalogue: new CatalogueData(shared.catalogueDatabase.executor),
    sealer: shared.sealer,
    dataDir: config.dataDir,
  }
  const target = (await findOwnDatabaseTarget(reader, id))?.target
  if (target?.kind !== 'sqlite' || basename(target.path) !== basename(file))
    return print(`Tenant ${id} is in another database by now; its file lies unused.`)
  await shared.markPendingTenant(id)
  const lease = await tenantDatabases.lease(tenant)
  lease.release()
}
