import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Opens existing SQLite files for reading. */

/** Opens a file that others may write. A connection with the flag `readOnly` would leave files beside the database. */
export function openExisting(path: string, busyTimeoutMs: number): DatabaseSync {
  const file = pathToFileURL(path)
  file.searchParams.set('mode', 'rw')
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs })
  connection.exec('PRAGMA query_only = 1')
  return connection
}

/**
 * Opens a file without creating files beside it. Without a log, the database is not open anywhere, and the file is
 * complete; with a log, the log is read as well.
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
