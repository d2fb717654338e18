/** The database interface on a SQLite file: opens it, and joins its reader, its writer and its checks. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
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
  type TransactionOptions,
} from '../executor.ts'
import { makePrivateFile, makePrivateFolder } from '../private-file.ts'
import { shareAnswer } from '../shared-answer.ts'
import { WriteCheck } from '../write-check.ts'
import { SqliteConnection } from './connection.ts'
import { inspectSqlite } from './copy.ts'
import { DurableLog } from './durable-log.ts'
import { existing } from './existing-file.ts'
import { isDamage, translate } from './failure.ts'
import { ForeignCommits } from './foreign-commits.ts'
import { defaultLockWaitMs, GroupCommitWriter } from './group-commit-writer.ts'
import { siblingOf } from './lock-file.ts'
import { connectToRead, connectToWrite, openReader } from './open-connection.ts'
import { closeScans, scanSqlite } from './scanner.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { directExecutor } from './statements.ts'
import { WatchedFile } from './watched-file.ts'

/** The interval of attempts to open a file that another process holds. */
const openRetryMs = 50
/** The interval of inspections of a damaged file. */
const inspectEveryMs = 5000
/** A larger file is not inspected: a stop waits for the inspection. */
const maxInspectedBytes = 1_073_741_824
/** Written by the readiness check after a failure: more than a usual change. */
const checkBytes = 65_536

/**
 * Opens the file, and waits asynchronously while another process creates its journal or holds it.
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

/** Opens the file, and creates it if there is none. @throws DatabaseUnavailable */
export function openSqlite(path: string): Database {
  try {
    makePrivateFolder(dirname(path))
    makePrivateFile(siblingOf(path, ''))
    return new SqliteDatabase(path)
  } catch (error) {
    throw openingFailed(path, error)
  }
}

export function openingFailed(path: string, cause: unknown): DatabaseUnavailable {
  const kind = isDamage(cause) ? DatabaseDamaged : DatabaseUnavailable
  return new kind(`The database file ${path} cannot be opened.`, cause)
}

/** A reader and a writer connection to one file: reads neither wait for the writer nor see its work (WAL). */
class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly executor: SnapshotReader
  readonly #writer: SqliteConnection
  readonly #writes: GroupCommitWriter
  readonly #listeners: ChangeListener[] = []
  readonly #path: string
  readonly #file: WatchedFile
  #foreign: ForeignCommits | null = null
  #damage: DatabaseDamaged | null = null
  /** Reads the whole file to see whether it is still damaged, at most once in the interval. */
  readonly #inspect = shareAnswer(() => this.#readAll(), inspectEveryMs)
  readonly #writeCheck = new WriteCheck(() => this.#writeAndRemove())

  constructor(path: string) {
    this.#path = path
    const translated = (error: unknown): unknown => this.#noteFailure(translate(error))
    const stillThere = (): void => this.#file.require()
    this.#writer = new SqliteConnection(connectToWrite(path, stillThere))
    this.#file = new WatchedFile(path)
    this.executor = new SnapshotReader(openReader(this.#writer, path, stillThere), this.#file, translated)
    this.#writes = new GroupCommitWriter(this.#writer, {
      committing: () => this.executor.hold(),
      committed: () => this.executor.endSnapshot(),
      lost: () => this.#file.check(),
      announced: (change) => this.#notify(change),
      translate: translated,
    })
  }

  /** All owners share one executor, because reads do not wait for each other. */
  executorFor(): Executor {
    return this.executor
  }

  get probe(): Executor {
    return this.executor
  }

  transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { withoutForeignKeys = false }: TransactionOptions = {},
  ): Promise<T> {
    return this.#writes.transaction(work, withoutForeignKeys)
  }

  setLockWait(ms: number): void {
    this.#writes.lockWaitMs = ms
  }

  async syncOffThread(): Promise<void> {
    const log = new DurableLog(this.#path, (restart, version) =>
      this.#foreign === null ? restart().then(() => undefined) : this.#foreign.ignoring(restart, version),
    )
    await this.#writes.syncOffThread(log)
  }

  /** Opens a separate connection, because the snapshots of the shared reader end with each turn. */
  async snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    let connection: DatabaseSync | null = null
    try {
      this.#file.require()
      connection = connectToRead(this.#path)
      connection.exec('BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1') // the read takes the snapshot
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
        await this.#writes.durable() // its snapshot may include commits that are not synced yet
        this.#file.require() // it was opened by its path
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

  countChanges(): number {
    return Number(this.#writer.run('SELECT total_changes() AS n', [], true).rows[0]?.['n'])
  }

  get isDamaged(): boolean {
    return this.#damage !== null
  }

  get isLost(): boolean {
    return this.#file.isLost
  }

  async check(): Promise<void> {
    if (this.#damage !== null) {
      void this.#inspect()
      throw this.#damage
    }
    try {
      this.#file.require()
      checkFile(this.#path)
      await this.#writeCheck.run()
    } catch (error) {
      throw this.#noteFailure(translate(error))
    }
  }

  /**
   * Clears the mark of damage if the whole file can be read: the damage may have been a temporary error of the disk.
   */
  async #readAll(): Promise<void> {
    const damage = this.#damage
    try {
      if (statSync(this.#path).size > maxInspectedBytes) return
      await inspectSqlite(this.#path)
      if (this.#damage === damage) this.#damage = null // unless more was found meanwhile
    } catch {
      // The file stays marked as damaged.
    }
  }

  /** Only a write of pages detects a full disk, or a file that may not grow. The table is dropped at once. */
  async #writeAndRemove(): Promise<void> {
    await this.#writes.transaction(async (transaction) => {
      await transaction.run('CREATE TABLE write_check (bytes BLOB)', [], false)
      await transaction.run(`INSERT INTO write_check VALUES (zeroblob(${checkBytes}))`, [], false)
      await transaction.run('DROP TABLE write_check', [], false)
    })
  }

  async close(): Promise<void> {
    this.#foreign?.stop()
    try {
      // If that fails, the connections end with their thread.
      await this.#writes.close(closeScans(this.#path).catch(() => undefined))
    } finally {
      this.executor.close()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #noteFailure(error: unknown): unknown {
    if (error instanceof DatabaseDamaged) this.#damage = error
    if (error instanceof DatabaseUnavailable && !(error instanceof DatabaseBusy)) this.#writeCheck.require()
    return error
  }

  #notify(change: string): void {
    for (const listener of this.#listeners) listener(change)
  }
}

/**
 * Checks whether the file can be read and locked. A new connection is needed: an open one reads from its cache, and
 * goes on with a removed file. If another connection has the lock, the file can be locked.
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
