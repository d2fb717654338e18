/** Opens the parts, and prepares them for their use: by a service, or by a command. */

import { prepareEncryption } from '../core/encryption/prepare.ts'
import type { Config } from '../core/settings/config.ts'
import type { Database } from '../database/executor.ts'
import { createDatabase, openDatabase } from '../database/open.ts'
import { lockCatalogue, shareDataFolder, tenantDatabaseLock, type Unlock } from '../database/serving-lock.ts'
import { directTarget, parseDatabaseUrl } from '../database/target.ts'
import { refuseUnfinishedRestore } from '../operations/backup/restore-marker.ts'
import { markInitialized, refuseLostFile } from '../operations/lost-catalogue.ts'
import { requireOwnNames } from './built-in-names.ts'
import { requireRowRules } from './declared-rows.ts'
import { requireMigrations } from './declared-tables.ts'
import { assembleParts, type Parts, postgresOptions } from './parts.ts'
import { prepareCatalogue } from './prepare-catalogue.ts'
import type { LoggedOptions } from './service-options.ts'

export interface OpenedParts extends Parts {
  /** Closes the databases, and releases the locks. */
  close(): Promise<void>
}

/**
 * @param use `serve` locks an embedded catalogue for this process; `operate` works beside a service
 * @throws TablesDiffer; AlreadyServed; DatabaseUnavailable, also during a restore and after an unfinished one
 */
export async function openParts(
  config: Config,
  options: LoggedOptions,
  use: 'serve' | 'operate',
): Promise<OpenedParts> {
  requireOwnNames(options)
  requireRowRules(options)
  requireMigrations(options)
  const target = parseDatabaseUrl(config.databaseUrl, config.databaseDirectUrl)
  const { dataDir } = config
  let unlockFolder = shareDataFolder(dataDir, target)
  let unlockCatalogue: Unlock | null = null
  const unlock = (): void => {
    unlockCatalogue?.()
    unlockFolder?.()
  }
  let database: Database | null = null
  try {
    refuseUnfinishedRestore(dataDir)
    if (use === 'serve') unlockCatalogue = lockCatalogue(target)
    refuseLostFile({ dataDir, sharedTarget: target })
    await createDatabase(target)
    const opened = await openDatabase(target, postgresOptions(config, options))
    database = opened
    const lock = tenantDatabaseLock(opened, target)
    const parts = assembleParts(config, options, opened, (file) => {
      if (file.kind === 'sqlite') unlockFolder ??= shareDataFolder(dataDir, file)
      return lock(file)
    })
    const close = async (): Promise<void> => {
      await parts.tenantDatabases.close().finally(() => opened.close())
    }
    return { ...parts, close: () => close().finally(unlock) }
  } catch (error) {
    await database?.close()
    unlock()
    throw error
  }
}

/** Migrates the databases and loads what the parts cache. To be called before any use, by a service and by commands. */
export async function prepareParts(parts: Parts): Promise<void> {
  const { database, features, revoked, shared, tenantDatabases } = parts
  const prepared = await prepareOnServer(parts)
  await prepareEncryption(database, features, shared)
  await revoked.load()
  markInitialized(tenantDatabases, prepared.installation, shared.log)
  invalidateOnChanges(parts)
}

/** Migrations need a session of their own. */
async function prepareOnServer(parts: Parts): Promise<{ installation: string }> {
  const { config, tenantDatabases } = parts
  const { sharedTarget } = tenantDatabases
  const direct = directTarget(sharedTarget)
  if (direct === sharedTarget) return prepareCatalogue(parts)
  const server = await openDatabase(direct, { ...postgresOptions(config), maxConnections: 1 })
  try {
    return await prepareCatalogue(parts, { server })
  } finally {
    await server.close()
  }
}

/** Invalidates caches when any instance changes data. The failure of one cache does not affect the others. */
function invalidateOnChanges(parts: Parts): void {
  const { pendingTenants, database, directory, feeds, keys, log, queueWorkers, revoked, roles } = parts
  const { apiKeys, known, owners, portals, tenantDatabases, tenantSettings } = parts
  const ofTenants = [directory, pendingTenants, tenantDatabases, tenantSettings]
  const caches = [...ofTenants, keys, queueWorkers, feeds, revoked, roles, known, apiKeys, owners, portals]
  database.onChange((change) => {
    for (const cache of caches) {
      const invalidated = async (): Promise<void> => cache.invalidate(change)
      invalidated().catch((error: unknown) => log.warn({ err: error, change }, 'cache not invalidated'))
    }
  })
}
