/** Who alone may serve from a database file, by a lock on a file beside it that ends with its process. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseBusy } from '../executor.ts'
import { translate } from './failure.ts'

/** The lock file is no database to anybody: SQLite is used for its locks alone, which the operating system keeps. */
const servingEnding = '-serving'

export function servingLock(path: string): string {
  return besides(path, servingEnding)
}

/** By whatever link a file is reached, its lock is one. */
function besides(path: string, ending: string): string {
  return `${existsSync(path) ? realpathSync(path) : path}${ending}`
}

/**
 * Other connections to the database itself go on working: the command line beside a running service.
 * @returns gives it back @throws DatabaseBusy when another process has it, DatabaseUnavailable
 */
export function holdExclusively(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true })
  try {
    return lockBeside(path, servingEnding)
  } catch (error) {
    throw error instanceof DatabaseBusy
      ? new DatabaseBusy(`Another process serves from ${path} already.`)
      : error
  }
}

/** @returns gives it back @throws DatabaseBusy when another process has it, DatabaseUnavailable */
export function lockBeside(path: string, ending: string): () => void {
  const lock = new DatabaseSync(besides(path, ending), { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw translate(error)
  }
  return () => lock.close()
}
