/** Opens the connections to one SQLite file: the writer, and readers. */
import { DatabaseSync } from 'node:sqlite'
import { SqliteConnection } from './connection.ts'
import { existing } from './existing-file.ts'
import { maxDirectReadMs } from './snapshot-reader.ts'

/**
 * How long SQLite waits for a lock. It is short, because all requests wait meanwhile; other processes lock for
 * moments.
 */
const busyWaitMs = 5

/**
 * Opens the writer, and detects a damaged file at once instead of at the first query.
 * @param stillThere throws if the file was removed or replaced since it was first opened
 */
export function connectToWrite(path: string, stillThere: () => void): (again: boolean) => DatabaseSync {
  return (again) => {
    if (again) stillThere()
    const writer = connect(again ? existing(path) : path)
    try {
      writer.exec('PRAGMA journal_mode = WAL')
      writer.prepare('SELECT count(*) FROM sqlite_schema').get()
      // `GroupCommitWriter` waits asynchronously for other processes.
      writer.exec('PRAGMA busy_timeout = 0')
      return writer
    } catch (error) {
      writer.close()
      throw error
    }
  }
}

/** @param writer is closed if the reader cannot be opened */
export function openReader(writer: SqliteConnection, path: string, stillThere: () => void): SqliteConnection {
  const open = (): DatabaseSync => {
    stillThere()
    return connectToRead(path)
  }
  try {
    return new SqliteConnection(open, maxDirectReadMs)
  } catch (error) {
    writer.close()
    throw error
  }
}

export function connectToRead(path: string): DatabaseSync {
  const connection = connect(existing(path))
  connection.exec('PRAGMA query_only = 1')
  return connection
}

/** With `synchronous = FULL`, a commit is on the disk before it is acknowledged. */
function connect(path: string | URL): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: busyWaitMs, enableForeignKeyConstraints: true })
  connection.exec('PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000')
  return connection
}
