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
