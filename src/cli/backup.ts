import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BackupWish, backUp } from '../backup/backup.ts'
import { tellRefusal } from '../backup/file.ts'
import type { BackedUpFile } from '../backup/manifest.ts'
import { refuseUnfinishedRestore } from '../backup/unfinished.ts'
import type { Config } from '../config.ts'
import { openToLook, parseDatabaseUrl } from '../database/open.ts'
import { shareDataFolder } from '../database/serving-lock.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { ServiceError } from '../errors.ts'
import { postgresOptions } from '../parts.ts'
import { Sealer } from '../seal.ts'
import { print, type Run } from './command.ts'
import { describeFile, describeTotal } from './file-size.ts'

/** @throws ServiceError when a file could not be copied */
export const backUpFiles: Run = async (config, { options }) => {
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
  if (failures > 0) throw new ServiceError('unavailable', `Not backed up: ${failures} of the databases.`)
  return 0
}

/** Nothing is migrated: the service that runs may be of another version. @throws ServiceError, DatabaseUnavailable */
export async function backUpAll(config: Config, wish: BackupWish): ReturnType<typeof backUp> {
  const { dataDir, masterKey, masterKeysOpening } = config
  const shared = parseDatabaseUrl(config.databaseUrl)
  refuseUnfinishedRestore(dataDir)
  if (shared.kind === 'sqlite' && !existsSync(shared.path))
    throw new ServiceError('invalid', `There is no database ${shared.path} to back up.`)
  const unlock = shareDataFolder(dataDir, shared)
  try {
    refuseUnfinishedRestore(dataDir) // from here on none begins
    const sealer = new Sealer(masterKey, masterKeysOpening)
    const look = (catalogue: DatabaseTarget) => openToLook(catalogue, postgresOptions(config))
    return await backUp({ shared, dataDir, sealer, look }, wish)
  } catch (error) {
    return tellRefusal(error)
  } finally {
    unlock?.()
  }
}
