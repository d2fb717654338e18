/** Locks that end with their process. A lock file is a SQLite database, because SQLite implements the locks. */
import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseBusy, DatabaseUnavailable } from '../executor.ts'
import { makePrivateFile, makePrivateFolder } from '../private-file.ts'
import { translate } from './failure.ts'

/** Locking under a name is tried this often, because others are refused for a moment while a holder writes its name. */
const maxAttempts = 20
const retryAfterMs = 10

/** The number of connections of this process that hold each lock, by path. */
const heldLocks = new Map<string, number>()

/** Whether this process holds the lock. */
export function isHeldHere(file: string): boolean {
  return heldLocks.has(file)
}

/**
 * Whether any process holds the lock, also this one. Holds it for a moment, in which others are refused.
 * @throws DatabaseUnavailable
 */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    lockExclusively(file)()
    return false
  } catch (error) {
    if (error instanceof DatabaseBusy) return true
    throw error
  }
}

/** A path beside a file, the same for all links to the file. @param path the file need not exist, its folder must */
export function siblingOf(path: string, ending: string): string {
  return `${canonical(path)}${ending}`
}

/**
 * @returns a function that releases the lock
 * @throws DatabaseBusy if it is held, also by this process; DatabaseUnavailable
 */
export function lockExclusively(file: string): () => void {
  return lock(file, (connection) => connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'))
}

/**
 * Shares the lock.
 * @returns a function that releases it
 * @throws DatabaseBusy if it is held exclusively; DatabaseUnavailable
 */
export function lockShared(file: string): () => void {
  return lock(file, beginShared)
}

/**
 * Shares the lock among holders that give the same name, which the lock file stores.
 * @returns a function that releases it
 * @throws DatabaseBusy if it is held under another name, or exclusively; DatabaseUnavailable
 */
export async function lockUnderName(file: string, name: string): Promise<() => void> {
  for (let tries = 1; ; tries++) {
    try {
      return lock(file, (connection) => shareUnderName(connection, name))
    } catch (error) {
      if (!(error instanceof DatabaseBusy) || tries === maxAttempts) throw error
      await delay(retryAfterMs)
    }
  }
}

function lock(file: string, take: (connection: DatabaseSync) => void): () => void {
  const connection = open(file)
  try {
    take(connection)
  } catch (error) {
    connection.close()
    throw translate(error)
  }
  heldLocks.set(file, (heldLocks.get(file) ?? 0) + 1)
  return () => {
    if (!connection.isOpen) return
    connection.close()
    const remaining = (heldLocks.get(file) ?? 1) - 1
    if (remaining === 0) heldLocks.delete(file)
    else heldLocks.set(file, remaining)
  }
}

/** Creates the file, and its folder, if they do not exist. @throws DatabaseUnavailable */
function open(file: string): DatabaseSync {
  try {
    makePrivateFolder(dirname(file))
    makePrivateFile(file)
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    throw new DatabaseUnavailable(`The lock file ${file} cannot be opened.`, error)
  }
}

function shareUnderName(connection: DatabaseSync, name: string): void {
  beginShared(connection)
  if (nameIn(connection) === name) return
  // The name in the file can change only while no process holds the file.
  connection.exec('ROLLBACK; BEGIN EXCLUSIVE')
  connection.exec('CREATE TABLE IF NOT EXISTS holder (name TEXT NOT NULL); DELETE FROM holder')
  connection.prepare('INSERT INTO holder (name) VALUES (?)').run(name)
  connection.exec('COMMIT')
  beginShared(connection)
  if (nameIn(connection) !== name) throw new DatabaseBusy('Another process has taken the lock.')
}

function nameIn(connection: DatabaseSync): unknown {
  const known = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'holder'").get()
  return known === undefined ? null : connection.prepare('SELECT name FROM holder').get()?.['name']
}

/** A transaction takes its lock with the first read. */
function beginShared(connection: DatabaseSync): void {
  connection.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
}

function canonical(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const link = linkAt(path)
  if (link !== null) return canonical(resolve(dirname(path), link))
  const folder = dirname(path)
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path
}

/** @returns where a symbolic link leads, even if that file does not exist yet; `null` without a link */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
