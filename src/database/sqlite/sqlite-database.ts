import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type ChangeListener,
  type Database,
  DatabaseBusy,
  DatabaseDamaged,
  DatabaseUnavailable,
  type Executor,
  type Row,
  resync,
  type ScanOptions,
  type Transaction,
} from '../executor.ts'
import { makePrivateFile, makePrivateFolder } from '../private-file.ts'
import { shareAnswer } from '../shared-answer.ts'
import { WriteProof } from '../write-proof.ts'
import { SqliteConnection } from './connection.ts'
import { inspectSqlite } from './copy.ts'
import { DurableLog } from './durable-log.ts'
import { isDamage, translate } from './failure.ts'
import { ForeignCommits } from './foreign-commits.ts'
import { defaultLockWaitMs, GroupCommitWriter } from './group-commit-writer.ts'
import { siblingOf } from './lock-file.ts'
import { closeScans, scanSqlite } from './scanner.ts'
import { maxDirectReadMs, SnapshotReader } from './snapshot-reader.ts'
import { directExecutor } from './statements.ts'

/** Everybody waits for a connection that waits: for moments such as that in which another process restores the log. */
const busyWaitMs = 5
/** As often a file is tried that another process holds while it is opened. */
const openRetryMs = 50
/** A file in which damage was met. */
const inspectEveryMs = 5000
/** A stop waits for the thread that reads it: some seconds. */
const maxInspectedBytes = 1_073_741_824
/** Written by readiness after a failure: more than a usual change. */
const proofBytes = 65_536

/**
 * Of processes that open a new file together one makes the journal, and another program may hold a file for long: it is
 * tried again until it is free, asynchronously.
 * @throws DatabaseUnavailable
 */
export async function openSqliteWhenFree(path: string): Promise<Database> {
  for (const untilMs = performance.now() + defaultLockWaitMs; ; await delay(openRetryMs)) {
    try {
      return openSqlite(path)
    } catch (error) {
      const isBusy = error instanceof DatabaseUnavailable && translate(error.cause) instanceof DatabaseBusy
      if (!isBusy || performance.now() > untilMs) throw error
    }
  }
}

/** Opens the file, and creates it where there is none. @throws DatabaseUnavailable */
export function openSqlite(path: string): Database {
  try {
    makePrivateFolder(dirname(path))
    makePrivateFile(siblingOf(path, ''))
    return new SqliteDatabase(path)
  } catch (error) {
    throw cannotBeOpened(path, error)
  }
}

export function cannotBeOpened(path: string, cause: unknown): DatabaseUnavailable {
  const kind = isDamage(cause) ? DatabaseDamaged : DatabaseUnavailable
  return new kind(`The database file ${path} cannot be opened.`, cause)
}

/** Two connections to one file: readers never wait for the writer (WAL), and never see its unfinished work. */
class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly executor: SnapshotReader
  readonly #writer: SqliteConnection
  readonly #writes: GroupCommitWriter
  readonly #listeners: ChangeListener[] = []
  readonly #path: string
  #foreign: ForeignCommits | null = null
  #damage: DatabaseDamaged | null = null
  /** All of the file is read, which takes a while: not for each who asks. */
  readonly #inspect = shareAnswer(() => this.#readAll(), inspectEveryMs)
  readonly #proof = new WriteProof(() => this.#writeAndRemove())

  constructor(path: string) {
    this.#path = path
    const translated = (error: unknown): unknown => this.#noteFailure(translate(error))
    this.#writer = new SqliteConnection(connectToWrite(path))
    this.executor = new SnapshotReader(readerBeside(this.#writer, path), translated)
    this.#writes = new GroupCommitWriter(this.#writer, {
      committing: () => this.executor.hold(),
      committed: () => this.executor.endSnapshot(),
      announced: (change) => this.#notify(change),
      translate: translated,
    })
  }

  /** Reads do not wait for each other. */
  executorFor(): Executor {
    return this.executor
  }

  get probe(): Executor {
    return this.executor
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#writes.transaction(work)
  }

  setLockWait(ms: number): void {
    this.#writes.lockWaitMs = ms
  }

  async syncOffThread(): Promise<void> {
    const log = new DurableLog(this.#path, (restart, version) =>
      this.#foreign === null ? restart().then(() => undefined) : this.#foreign.except(restart, version),
    )
    await this.#writes.syncOffThread(log)
  }

  /** On a connection of its own: the shared reader's snapshots end with each turn. */
  async snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    let connection: DatabaseSync | null = null
    try {
      connection = connectToRead(this.#path)
      connection.exec('BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1') // the snapshot is taken by the read
      await this.#writes.durable()
      return await work(directExecutor(connection))
    } catch (error) {
      throw this.#noteFailure(translate(error))
    } finally {
      connection?.close()
    }
  }

  async *scan(
    sql: string,
    parameters: readonly unknown[],
    options: ScanOptions,
  ): AsyncGenerator<Row[], void> {
    try {
      for await (const rows of scanSqlite({ path: this.#path, sql, parameters }, options)) {
        await this.#writes.durable() // what its snapshot saw may have been committed a moment ago
        yield rows
      }
    } catch (error) {
      throw this.#noteFailure(error)
    }
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener)
    this.#foreign ??= new ForeignCommits(this.#writer, () => this.#notify(resync))
  }

  get isDamaged(): boolean {
    return this.#damage !== null
  }

  async check(): Promise<void> {
    if (this.#damage !== null) {
      void this.#inspect()
      throw this.#damage
    }
    try {
      checkFile(this.#path)
      await this.#proof.prove()
    } catch (error) {
      throw this.#noteFailure(translate(error))
    }
  }

  /** What SQLite calls damage may have been an error of the disk that is over. */
  async #readAll(): Promise<void> {
    const damage = this.#damage
    try {
      if (statSync(this.#path).size > maxInspectedBytes) return
      await inspectSqlite(this.#path)
      if (this.#damage === damage) this.#damage = null // and not what was met meanwhile
    } catch {
      // It stays damaged.
    }
  }

  /** A full disk, or a file that may not grow, is not seen before pages are written. Nobody sees this table. */
  async #writeAndRemove(): Promise<void> {
    await this.#writes.transaction(async (transaction) => {
      await transaction.run('CREATE TABLE write_proof (bytes BLOB)', [], false)
      await transaction.run(`INSERT INTO write_proof VALUES (zeroblob(${proofBytes}))`, [], false)
      await transaction.run('DROP TABLE write_proof', [], false)
    })
  }

  async close(): Promise<void> {
    this.#foreign?.stop()
    try {
      // Where that fails, its connections end with its thread.
      await this.#writes.close(closeScans(this.#path).catch(() => undefined))
    } finally {
      this.executor.close()
    }
  }

  #noteFailure(error: unknown): unknown {
    if (error instanceof DatabaseDamaged) this.#damage = error
    if (error instanceof DatabaseUnavailable && !(error instanceof DatabaseBusy)) this.#proof.require()
    return error
  }

  #notify(change: string): void {
    for (const listener of this.#listeners) listener(change)
  }
}

/**
 * By a connection of its own: one that is open reads what it remembers, and goes on with a file that was removed.
 * Whoever holds the lock for writing proves that it can be had.
 */
function checkFile(path: string): void {
  const connection = new DatabaseSync(existing(path), { timeout: 0 })
  try {
    connection.prepare('SELECT count(*) FROM sqlite_schema').get()
    connection.exec('BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    if (!(translate(error) instanceof DatabaseBusy)) throw error
  } finally {
    connection.close()
  }
}

/** A damaged file says so here rather than to the first who asks. Closed again, it is as it was. */
function connectToWrite(path: string): (again: boolean) => DatabaseSync {
  return (again) => {
    const writer = connect(again ? existing(path) : path)
    try {
      writer.exec('PRAGMA journal_mode = WAL')
      writer.prepare('SELECT count(*) FROM sqlite_schema').get()
      // Who waits for another process waits asynchronously, see `Writes`.
      writer.exec('PRAGMA busy_timeout = 0')
      return writer
    } catch (error) {
      writer.close()
      throw error
    }
  }
}

function readerBeside(writer: SqliteConnection, path: string): SqliteConnection {
  try {
    return new SqliteConnection(() => connectToRead(path), maxDirectReadMs)
  } catch (error) {
    writer.close()
    throw error
  }
}

function connectToRead(path: string): DatabaseSync {
  const connection = connect(existing(path))
  connection.exec('PRAGMA query_only = 1')
  return connection
}

/** FULL: a commit is on the disk before anyone is told of it. */
function connect(path: string | URL): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: busyWaitMs, enableForeignKeyConstraints: true })
  connection.exec('PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000')
  return connection
}

/** A file that was removed stays away: an empty one in its place would look like a database without rows. */
function existing(path: string): URL {
  const file = pathToFileURL(path)
  file.searchParams.set('mode', 'rw')
  return file
}
