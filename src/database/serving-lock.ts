/**
 * Who may work with the embedded databases at a time. A service has its catalogue alone, and shares the files of tenants
 * with whatever has the same catalogue: its commands and, on PostgreSQL, its other instances. A restore is alone.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AlreadyServed, type Database, DatabaseBusy, DatabaseUnavailable } from './executor.ts'
import { serverIdentifier } from './postgres/server.ts'
import { makePrivateFolder } from './private-file.ts'
import { isHeldHere, lockExclusively, lockShared, lockUnderName, siblingOf } from './sqlite/lock-file.ts'
import { type DatabaseTarget, fileIdentity, postgresAddress } from './target.ts'

/** Gives a lock back; a second call does nothing. */
export type Unlock = () => void

const none: Unlock = () => undefined

/** Of the lock beside each file that is served from. */
export const servingEnding = '-serving'
const folderLock = 'folder.lock'

/** By whatever link a file is reached, its lock is one. */
export function servingLock(path: string): string {
  return siblingOf(path, servingEnding)
}

/** Whether a name in the data folder is that of a lock: it holds no data, and stays where it is. */
export function isLockFile(name: string): boolean {
  return name === folderLock || name.endsWith(servingEnding)
}

/** On PostgreSQL any number may serve. @throws AlreadyServed, DatabaseUnavailable */
export function lockCatalogue(target: DatabaseTarget): Unlock {
  return target.kind === 'sqlite' ? lockFile(target.path) : none
}

/** Nobody serves from the file meanwhile, whatever the catalogue. @throws AlreadyServed, DatabaseUnavailable */
export function lockFile(path: string): Unlock {
  makePrivateFolder(dirname(path))
  const file = servingLock(path)
  try {
    return lockExclusively(file)
  } catch (error) {
    throw error instanceof DatabaseBusy ? servedAlready(path, isHeldHere(file)) : error
  }
}

/**
 * For whatever uses the data folder, as long as it does.
 * @param target a database that is to be opened: on PostgreSQL it takes no folder
 * @returns `null` when there is nothing to share @throws DatabaseBusy during a restore, DatabaseUnavailable
 */
export function shareDataFolder(dataDir: string, target: DatabaseTarget): Unlock | null {
  const isNeeded = target.kind === 'sqlite'
  if (!isNeeded && !existsSync(dataDir)) return null
  try {
    makePrivateFolder(dataDir)
    return lockShared(join(dataDir, folderLock))
  } catch (error) {
    if (error instanceof DatabaseBusy) throw new DatabaseBusy(`A restore into ${dataDir} is going on.`)
    if (isNeeded)
      throw error instanceof DatabaseUnavailable
        ? error
        : new DatabaseUnavailable(`The data folder ${dataDir} cannot be used.`, error)
    return null // nothing can be written there, so nothing is served from there
  }
}

/** For a restore. @throws AlreadyServed, DatabaseUnavailable */
export function lockDataFolder(dataDir: string): Unlock {
  const file = join(dataDir, folderLock)
  try {
    return lockExclusively(file)
  } catch (error) {
    throw error instanceof DatabaseBusy ? servedAlready(dataDir, isHeldHere(file)) : error
  }
}

/** Locks a database of a tenant as long as it is open. @throws AlreadyServed, DatabaseUnavailable */
export type LockTenantDatabase = (target: DatabaseTarget) => Promise<Unlock>

/** @param catalogue its name is that of the lock: whatever has another one is refused */
export function tenantDatabaseLock(catalogue: Database, place: DatabaseTarget): LockTenantDatabase {
  return async (target) => {
    if (target.kind !== 'sqlite') return none
    makePrivateFolder(dirname(target.path))
    const file = servingLock(target.path)
    try {
      return await lockUnderName(file, await nameOf(catalogue, place))
    } catch (error) {
      throw error instanceof DatabaseBusy ? servedAlready(target.path, isHeldHere(file)) : error
    }
  }
}

/** The same by whatever path or address a process reaches the catalogue. */
async function nameOf({ executor }: Database, place: DatabaseTarget): Promise<string> {
  if (place.kind === 'sqlite') return `sqlite ${fileIdentity(place.path)}`
  try {
    return `postgres ${await serverIdentifier(executor)} ${new URL(place.url).pathname}`
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    return `postgres ${postgresAddress(place.url)}` // a server that does not tell its identifier
  }
}

function servedAlready(path: string, isHere: boolean): AlreadyServed {
  return new AlreadyServed(`${isHere ? 'This' : 'Another'} process serves from ${path} already.`)
}
