import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SecretBox } from '../core/encryption/secret-box.ts'
import { ServiceError } from '../core/errors.ts'
import type { Config } from '../core/settings/config.ts'
import type { Migration } from '../database/migration.ts'
import { openForInspection } from '../database/open.ts'
import { shareDataFolder } from '../database/serving-lock.ts'
import { type DatabaseTarget, parseDatabaseUrl } from '../database/target.ts'
import { type BackupWish, backUp } from '../operations/backup/backup.ts'
import { tellRefusal } from '../operations/backup/file.ts'
import type { BackedUpFile } from '../operations/backup/manifest.ts'
import { foreignObject, unknownFeatures } from '../operations/backup/schema.ts'
import { refuseUnfinishedRestore } from '../operations/backup/unfinished.ts'
import { postgresOptions } from '../service/parts.ts'
import { print, type Run } from './command.ts'
import { describeFile, describeTotal } from './file-size.ts'
import { knownMigrations } from './known-migrations.ts'

/** @throws ServiceError when a file could not be copied, or will not be restored */
export const backUpFiles: Run = async (config, { options }, service) => {
  const to = resolve(options['to'] ?? '')
  const wish = {
    to,
    tenantId: options['tenant'] ?? null,
    tell: (file: BackedUpFile) => print(describeFile(file)),
  }
  const { manifest, failures } = await backUpAll(config, wish)
  for (const { tenant, reason } of manifest.notIncluded)
    print(`Not included: ${tenant === null ? '' : `${tenant}, `}${reason}.`)
  print(`The backup is in ${to}: ${describeTotal(manifest.databases)}.`)
  const migrations = await knownMigrations(config, service)
  const refused = await refusals(to, manifest.databases, migrations)
  const faults = [
    ...(failures > 0 ? [`Not backed up: ${failures} of the databases.`] : []),
    ...(refused.length > 0 ? [`A restore will refuse ${refused.join(', ')}.`] : []),
  ]
  if (faults.length > 0) throw new ServiceError('unavailable', faults.join(' '))
  return 0
}

/** Told when it can still be mended. @returns the files that `tenantry restore` will refuse */
async function refusals(
  folder: string,
  files: readonly BackedUpFile[],
  migrations: readonly Migration[],
): Promise<string[]> {
  const refused: string[] = []
  for (const entry of files) {
    const unknown = unknownFeatures(entry, migrations)
    if (unknown !== null) {
      print(`${entry.file} is not judged. ${unknown}`)
      continue
    }
    const foreign = await foreignObject(join(folder, entry.file), entry, migrations)
    if (foreign === null) continue
    print(`${entry.file}: its ${foreign} is not what this service makes. Remove it, or make it a migration.`)
    refused.push(entry.file)
  }
  return refused
}

/** Nothing is migrated: the service that runs may be of another version. @throws ServiceError, DatabaseUnavailable */
export async function backUpAll(config: Config, wish: BackupWish): ReturnType<typeof backUp> {
  const { dataDir, masterKey, formerMasterKeys } = config
  const shared = parseDatabaseUrl(config.databaseUrl)
  refuseUnfinishedRestore(dataDir)
  if (shared.kind === 'sqlite' && !existsSync(shared.path))
    throw new ServiceError('invalid', `There is no database ${shared.path} to back up.`)
  const unlock = shareDataFolder(dataDir, shared)
  try {
    refuseUnfinishedRestore(dataDir) // from here on none begins
    const secretBox = new SecretBox(masterKey, formerMasterKeys)
    const look = (catalogue: DatabaseTarget) => openForInspection(catalogue, postgresOptions(config))
    return await backUp({ shared, dataDir, secretBox, look }, wish)
  } catch (error) {
    return tellRefusal(error)
  } finally {
    unlock?.()
  }
}
