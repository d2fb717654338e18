/** Opens SQLite files that exist, and never creates one. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Names a file that must exist: a new one in place of a removed one would look like a database without rows. */
export function existing(path: string): URL {
  const file = pathToFileURL(path)
  file.searchParams.set('mode', 'rw')
  return file
}

/**
 * Opens a file for reading that others may write. With the flag `readOnly` instead, the last connection could not remove
 * the log (`-wal`) and its index (`-shm`) when it closes.
 */
export function openExisting(path: string, busyTimeoutMs: number): DatabaseSync {
  const connection = new DatabaseSync(existing(path), { timeout: busyTimeoutMs })
  connection.exec('PRAGMA query_only = 1')
  return connection
}

/**
 * Opens a file without changing a byte of it. Without a log, the database is not open anywhere, and the flag `immutable`
 * keeps SQLite from creating files beside it. A log is read as well; if its index is missing, SQLite creates the index.
 * @param maxValueBytes a larger row or value is an error
 */
export function openForInspection(path: string, maxValueBytes: number | null = null): DatabaseSync {
  const file = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) file.searchParams.set('immutable', '1')
  const connection = new DatabaseSync(file, { readOnly: true, limits: limitsOf(maxValueBytes) })
  connection.exec('PRAGMA trusted_schema = OFF')
  return connection
}

/** @returns the option with the largest row or value; without it SQLite allows a billion bytes */
export function limitsOf(maxValueBytes: number | null): { length?: number } {
  return maxValueBytes === null ? {} : { length: maxValueBytes }
}
