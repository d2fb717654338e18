import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Opens a file to read it, and makes none. A connection for reading alone would leave files beside the database. */
export function openExisting(path: string, busyTimeoutMs: number): DatabaseSync {
  const file = pathToFileURL(path)
  file.searchParams.set('mode', 'rw')
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs })
  connection.exec('PRAGMA query_only = 1')
  return connection
}

/**
 * A plain reader would make the files beside the database. Where there are none, nobody has it open and the file
 * alone is all; where there are, they are read with it.
 * @param maxValueBytes a larger row or value is not read, but an error
 */
export function openForInspection(path: string, maxValueBytes: number | null = null): DatabaseSync {
  const file = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) file.searchParams.set('immutable', '1')
  const connection = new DatabaseSync(file, { readOnly: true, limits: limitsOf(maxValueBytes) })
  connection.exec('PRAGMA trusted_schema = OFF')
  return connection
}

/** SQLite has a limit of its own, a billion. */
export function limitsOf(maxValueBytes: number | null): { length?: number } {
  return maxValueBytes === null ? {} : { length: maxValueBytes }
}
