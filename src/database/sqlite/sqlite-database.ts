import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type ChangeListener,
  type Database,
  DatabaseBusy,
  DatabaseUnavailable,
  type Executor,
  resync,
  type Transaction,
} from '../executor.ts'
import { directExecutor } from './direct.ts'
import { translate } from './failure.ts'
import { Reads } from './reads.ts'
import { usualWaitMs, Writes } from './writes.ts'

/** At a start that waits for another one. */
const lookEveryMs = 20

/** How often commits of other processes (the command line beside a running service) are looked for. */
const watchIntervalMs = 500

/** Opens the file, and creates it where there is none. @throws DatabaseUnavailable */
export function openSqlite(path: string): Database {
  try {
    mkdirSync(dirname(path), { recursive: true })
    return new SqliteDatabase(path)
  } catch (error) {
    throw cannotBeOpened(path, error)
  }
}

export function cannotBeOpened(path: string, cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable(`The database file ${path} cannot be opened.`, cause)
}

/** Two connections to one file: readers never wait for the writer (WAL), and never see its unfinished work. */
class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly executor: Reads
  readonly #writer: DatabaseSync
  readonly #reader: DatabaseSync
  readonly #writes: Writes
  readonly #listeners: ChangeListener[] = []
  readonly #path: string
  #watch: NodeJS.Timeout | null = null

  constructor(path: string) {
    this.#path = path
    const { writer, reader } = connectTwice(path)
    this.#writer = writer
    this.#reader = reader
    this.executor = new Reads(this.#reader)
    this.#writes = new Writes(this.#writer, {
      committed: () => this.executor.endSnapshot(),
      announced: (change) => this.#tell(change),
    })
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#writes.transaction(work)
  }

  waitAtMost(ms: number): void {
    this.#writes.waitMs = ms
  }

  /** On a connection of its own: the shared reader's snapshots end with each turn. */
  async snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    const connection = connectToRead(this.#path)
    try {
      connection.exec('BEGIN')
      return await work(directExecutor(connection))
    } finally {
      connection.close()
    }
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener)
    this.#watch ??= this.#watchOthers()
  }

  async close(): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch)
    await this.#writes.close()
    this.executor.endSnapshot()
    this.#reader.close()
    try {
      this.#writer.close() // writes the journal into the file, which may fail
    } catch (error) {
      throw translate(error)
    }
  }

  #tell(change: string): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** `data_version` moves only when somebody else has committed; our own writes go through this connection. */
  #watchOthers(): NodeJS.Timeout {
    const version = this.#writer.prepare('PRAGMA data_version')
    let seen = read(version)
    const timer = setInterval(() => {
      const now = read(version)
      if (now !== seen) this.#tell(resync)
      seen = now
    }, watchIntervalMs)
    return timer.unref()
  }
}

/** A file that cannot be read counts as changed, and as changed again once it can. */
function read(version: StatementSync): unknown {
  try {
    return version.get()?.['data_version']
  } catch {
    return null
  }
}

/** A damaged file says so here rather than to the first who asks. Closed again, it is as it was. */
function connectTwice(path: string): { writer: DatabaseSync; reader: DatabaseSync } {
  const writer = connect(path)
  try {
    makeJournal(writer)
    writer.prepare('SELECT count(*) FROM sqlite_schema').get()
    // Who waits for another process waits asynchronously, see `Writes`.
    writer.exec('PRAGMA busy_timeout = 0')
    return { writer, reader: connectToRead(path) }
  } catch (error) {
    writer.close()
    throw error
  }
}

/** Of processes that open a new file together one makes the journal, and SQLite lets none of the others wait for it. */
function makeJournal(writer: DatabaseSync): void {
  const untilMs = performance.now() + usualWaitMs
  for (;;) {
    try {
      writer.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!(translate(error) instanceof DatabaseBusy) || performance.now() > untilMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookEveryMs)
    }
  }
}

function connectToRead(path: string): DatabaseSync {
  const connection = connect(path)
  connection.exec('PRAGMA query_only = 1')
  return connection
}

/** FULL: a commit is on the disk before anyone is told of it. */
function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: usualWaitMs, enableForeignKeyConstraints: true })
  connection.exec('PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000')
  return connection
}
