import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Opens an existing file for reading. A read-only connection would leave files beside the database. */
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

/** SQLite's default limit is a billion bytes. */
export function limitsOf(maxValueBytes: number | null): { length?: number } {
  return maxValueBytes === null ? {} : { length: maxValueBytes }
}
