/** Locks that end with their process. A lock file is a SQLite database, because SQLite has the locks. */
import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseBusy } from '../executor.ts'
import { makePrivateFile, makePrivateFolder } from '../private-file.ts'
import { translate } from './failure.ts'

/** Writing the name of a holder takes a moment, in which others are refused. */
const maxAttempts = 20
const retryAfterMs = 10

/** The locks of this process, by their paths: how many connections hold each. */
const held = new Map<string, number>()

/** Whether this very process holds the lock. */
export function isHeldHere(file: string): boolean {
  return held.has(file)
}

/** By whatever link a file is reached, what lies beside it is one. @param path the file need not exist, its folder does */
export function siblingOf(path: string, ending: string): string {
  return `${canonical(path)}${ending}`
}

/** @returns gives it back @throws DatabaseBusy when another has it, also in this process; DatabaseUnavailable */
export function lockExclusively(file: string): () => void {
  return lock(file, (connection) => connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'))
}

/** Any number may share it. @returns gives it back @throws DatabaseBusy when another has it alone; DatabaseUnavailable */
export function lockShared(file: string): () => void {
  return lock(file, beginShared)
}

/**
 * Any number may share it who give the same name; the file keeps the name.
 * @returns gives it back @throws DatabaseBusy when it is held under another name, or exclusively; DatabaseUnavailable
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
  makePrivateFolder(dirname(file))
  makePrivateFile(file)
  const connection = new DatabaseSync(file, { timeout: 0 })
  try {
    take(connection)
  } catch (error) {
    connection.close()
    throw translate(error)
  }
  held.set(file, (held.get(file) ?? 0) + 1)
  return () => {
    if (!connection.isOpen) return
    connection.close()
    const left = (held.get(file) ?? 1) - 1
    if (left === 0) held.delete(file)
    else held.set(file, left)
  }
}

function shareUnderName(connection: DatabaseSync, name: string): void {
  beginShared(connection)
  if (nameIn(connection) === name) return
  // Only a file that nobody holds takes another name.
  connection.exec('ROLLBACK; BEGIN EXCLUSIVE')
  connection.exec('CREATE TABLE IF NOT EXISTS holder (name TEXT NOT NULL); DELETE FROM holder')
  connection.prepare('INSERT INTO holder (name) VALUES (?)').run(name)
  connection.exec('COMMIT')
  beginShared(connection)
  if (nameIn(connection) !== name) throw new DatabaseBusy('Another process was faster.')
}

function nameIn(connection: DatabaseSync): unknown {
  const known = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'holder'").get()
  return known === undefined ? null : connection.prepare('SELECT name FROM holder').get()?.['name']
}

/** A transaction holds no lock before it reads. */
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

/** A link may lead to a file that is not there yet. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
