/**
 * Locks on the embedded databases. A service holds its catalogue exclusively, and shares tenants' files with processes
 * of the same catalogue: its commands and, on PostgreSQL, its other instances. A restore holds everything exclusively.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AlreadyServed, type Database, DatabaseBusy, DatabaseUnavailable } from './executor.ts'
import { serverIdentifier } from './postgres/server.ts'
import { makePrivateFolder } from './private-file.ts'
import { isHeldHere, lockExclusively, lockShared, lockUnderName, siblingOf } from './sqlite/lock-file.ts'
import { type DatabaseTarget, databaseName, fileIdentity, postgresAddress } from './target.ts'

/** Releases a lock; further calls do nothing. */
export type Unlock = () => void

const none: Unlock = () => undefined

/** The suffix of the lock file beside each served file. */
export const servingSuffix = '-serving'
const folderLock = 'folder.lock'
/** The lock in the folder with the contents of tenants' files: a backup holds it while it copies them. */
export const contentLock = '.backup.lock'

/** @returns the path of the lock file; it is the same for all links to a database file */
export function servingLock(path: string): string {
  return siblingOf(path, servingSuffix)
}

/** Whether a file in the data folder is a lock, which has no data. */
export function isLockFile(name: string): boolean {
  return name === folderLock || name === contentLock || name.endsWith(servingSuffix)
}

/**
 * Locks the file of a SQLite catalogue. On PostgreSQL any number of instances may serve. @throws AlreadyServed,
 * DatabaseUnavailable
 */
export function lockCatalogue(target: DatabaseTarget): Unlock {
  return target.kind === 'sqlite' ? lockFile(target.path) : none
}

/** Locks the file exclusively, whatever the catalogue. @throws AlreadyServed, DatabaseUnavailable */
export function lockFile(path: string): Unlock {
  makeFolderOf(path)
  const file = servingLock(path)
  try {
    return lockExclusively(file)
  } catch (error) {
    throw error instanceof DatabaseBusy ? alreadyServed(path, isHeldHere(file)) : error
  }
}

/** @throws DatabaseUnavailable */
function makeFolderOf(path: string): void {
  try {
    makePrivateFolder(dirname(path))
  } catch (error) {
    throw new DatabaseUnavailable(`The folder of ${path} cannot be created.`, error)
  }
}

/**
 * Shares the data folder while it is in use.
 * @param target the database that will be opened; on PostgreSQL it needs no folder
 * @returns `null` without a folder to share @throws DatabaseBusy during a restore, DatabaseUnavailable
 */
export function shareDataFolder(dataDir: string, target: DatabaseTarget): Unlock | null {
  const isNeeded = target.kind === 'sqlite'
  if (!isNeeded && !existsSync(dataDir)) return null
  try {
    makePrivateFolder(dataDir)
    return lockShared(join(dataDir, folderLock))
  } catch (error) {
    if (error instanceof DatabaseBusy) throw new DatabaseBusy(`A restore into ${dataDir} is in progress.`)
    if (isNeeded) throw new DatabaseUnavailable(`The data folder ${dataDir} cannot be used.`, error)
    return null // nobody serves from a folder that cannot be written
  }
}

/** Locks the data folder for a restore. @throws AlreadyServed, DatabaseUnavailable */
export function lockDataFolder(dataDir: string): Unlock {
  const file = join(dataDir, folderLock)
  try {
    return lockExclusively(file)
  } catch (error) {
    throw error instanceof DatabaseBusy ? alreadyServed(dataDir, isHeldHere(file)) : error
  }
}

/** Locks a tenant's database while it is open. @throws AlreadyServed, DatabaseUnavailable */
export type LockTenantDatabase = (target: DatabaseTarget) => Promise<Unlock>

/** @param catalogue names the lock: processes with another catalogue are refused @param location of the catalogue */
export function tenantDatabaseLock(catalogue: Database, location: DatabaseTarget): LockTenantDatabase {
  return async (target) => {
    if (target.kind !== 'sqlite') return none
    makeFolderOf(target.path)
    const file = servingLock(target.path)
    try {
      return await lockUnderName(file, await nameOf(catalogue, location))
    } catch (error) {
      throw error instanceof DatabaseBusy ? alreadyServed(target.path, isHeldHere(file)) : error
    }
  }
}

/** @returns the name of the catalogue, which is equal for all paths and addresses by which it can be opened */
async function nameOf({ executor }: Database, location: DatabaseTarget): Promise<string> {
  if (location.kind === 'sqlite') return `sqlite ${fileIdentity(location.path)}`
  try {
    return `postgres ${await serverIdentifier(executor)} /${databaseName(location.url)}`
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    return `postgres ${postgresAddress(location.url)}` // a server that does not reveal its identifier
  }
}

function alreadyServed(path: string, isHere: boolean): AlreadyServed {
  return new AlreadyServed(`${isHere ? 'This' : 'Another'} process serves from ${path} already.`)
}
