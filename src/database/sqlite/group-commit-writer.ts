import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseBusy, DatabaseUnavailable, type Transaction } from '../executor.ts'
import type { SqliteConnection } from './connection.ts'
import type { DurableLog } from './durable-log.ts'
import { GatherWindow } from './gather-window.ts'
import { batchLost, SavepointTransaction, type TransactionOwner } from './savepoint-transaction.ts'

/** The maximum number of transactions of one commit, so that none waits long. */
const maxBatchTransactions = 128
/** A batch begins no further transaction after this time, because it blocks the thread. */
const maxBatchMs = 10

/** The poll interval while another process writes. */
const lockPollMs = 5
/** How long to wait for another process by default. */
export const defaultLockWaitMs = 5000

/** The interval of attempts after a failed sync. */
const recoveryIntervalMs = 500
/** The length of the log, about 256 MiB, at which SQLite copies it itself if the checkpoint thread could not. */
const maxLogFrames = 65_536

interface PendingTransaction {
  sinceMs: number
  /** Whether foreign keys are off while it runs. Such a transaction has a commit of its own. */
  withoutForeignKeys: boolean
  work: (transaction: Transaction) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface WriteListeners extends TransactionOwner {
  /** Called before a batch is committed. Readers must not see the batch before it is durable. */
  committing(): void
  /** Called when a batch is durable, before its callers are answered. */
  committed(): void
  /** @returns an error if the file was removed or replaced: nothing is written then, and no batch is acknowledged */
  lost(): Error | null
}

interface FinishedTransaction extends PendingTransaction {
  value: unknown
  listeners: (() => void)[]
}

/**
 * The one writer of a SQLite file, with group commit: waiting transactions run one after the other, each in a
 * savepoint, and share one COMMIT and one sync. They are acknowledged after the sync.
 */
export class GroupCommitWriter {
  readonly #connection: SqliteConnection
  readonly #listeners: WriteListeners
  readonly #queue: PendingTransaction[] = []
  /** The log that is synced off the main thread; `null`: COMMIT itself waits for the disk. */
  #log: DurableLog | null = null
  #syncing: Promise<void> = Promise.resolve()
  readonly #gatherWindow = new GatherWindow()
  /** Committed transactions that may not be on the disk; later ones depend on them. */
  #uncertain: FinishedTransaction[] | null = null
  #draining: Promise<void> | null = null
  #closed = false
  /** How long to wait for another process that writes. Other requests are served meanwhile. */
  lockWaitMs = defaultLockWaitMs

  constructor(connection: SqliteConnection, listeners: WriteListeners) {
    this.#connection = connection
    this.#listeners = listeners
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>, withoutForeignKeys = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new DatabaseUnavailable('The database is closed.'))
      const sinceMs = performance.now()
      const pending = { sinceMs, withoutForeignKeys, work, reject }
      // The result of `work` goes to the same caller: T in, T out.
      this.#queue.push({ ...pending, resolve: resolve as PendingTransaction['resolve'] })
      this.#draining ??= this.#drain()
    })
  }

  /**
   * From now on COMMIT only appends to the log, which is then synced without blocking this thread. SQLite still
   * syncs the header of a new log, and copies the log itself if the checkpoint thread could not.
   */
  async syncOffThread(log: DurableLog): Promise<void> {
    await this.#draining
    this.#connection.configure(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${maxLogFrames}`)
    this.#log = log
  }

  /** Waits until all present commits are on the disk. @throws DatabaseUnavailable when that is uncertain */
  durable(): Promise<void> {
    return this.#syncing
  }

  /**
   * Refuses further transactions, and waits for those in progress.
   * @param others the end of other connections to the file: the last connection copies the log
   * @throws DatabaseUnavailable: closing writes the log into the file
   */
  async close(others: Promise<void>): Promise<void> {
    this.#closed = true
    await this.#draining
    await others
    try {
      await this.#log?.close()
      this.#connection.close()
    } catch (error) {
      throw this.#listeners.translate(error)
    }
  }

  async #drain(): Promise<void> {
    do {
      // A turn of the event loop lets requests that have arrived join the batch, and serves others.
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#queue.length < maxBatchTransactions) await this.#gatherWindow.wait()
      await this.#step().catch((error: unknown) => this.#rejectAll(this.#queue.splice(0), error))
    } while (this.#queue.length > 0 || (this.#uncertain !== null && !this.#closed))
    this.#draining = null
  }

  async #step(): Promise<void> {
    if (this.#uncertain !== null) await this.#recover(this.#uncertain)
    else if (this.#log?.needsRestart) await this.#log.restart()
    if (this.#uncertain !== null || this.#queue.length === 0) return
    if (this.#queue[0]?.withoutForeignKeys === true) await this.#commitWithoutForeignKeys()
    else await this.#commitBatch(maxBatchTransactions)
  }

  /** Sets the pragma outside of the transaction, because SQLite ignores it inside. */
  async #commitWithoutForeignKeys(): Promise<void> {
    this.#connection.exec('PRAGMA foreign_keys = OFF')
    try {
      await this.#commitBatch(1)
    } finally {
      this.#connection.exec('PRAGMA foreign_keys = ON')
    }
  }

  async #commitBatch(maxTransactions: number): Promise<void> {
    const changesBefore = this.#totalChanges()
    if (!(await this.#begin())) return
    const done: FinishedTransaction[] = []
    const alters = await this.#runBatch(maxTransactions, done)
    // A full disk ends the whole transaction, including earlier savepoints.
    if (!this.#connection.isTransaction) return this.#rejectAll(done, batchLost())
    let log: DurableLog | null = null
    try {
      if (alters || this.#totalChanges() !== changesBefore) log = this.#log
      if (log !== null) this.#listeners.committing()
      this.#connection.run('COMMIT', [], true)
    } catch (error) {
      this.#connection.end('ROLLBACK')
      this.#listeners.committed()
      return this.#rejectAll(done, error)
    }
    if (log !== null && !(await this.#sync(log, done))) return
    this.#listeners.committed()
    this.#acknowledge(done)
  }

  /** @param done receives the finished transactions @returns whether one of them may have changed the schema */
  async #runBatch(maxTransactions: number, done: FinishedTransaction[]): Promise<boolean> {
    let alters = false
    const endsMs = performance.now() + maxBatchMs
    for (let count = 0; count < maxTransactions && performance.now() < endsMs; count++) {
      const waiting = this.#next(count)
      if (waiting === undefined) break
      const transaction = new SavepointTransaction(this.#connection, this.#listeners)
      const finished = await this.#runInSavepoint(waiting, transaction)
      if (finished !== null) done.push(finished)
      alters ||= transaction.alters
      if (!this.#connection.isTransaction) break
    }
    return alters
  }

  /** Acknowledges the transactions, unless their file was removed or replaced. */
  #acknowledge(done: FinishedTransaction[]): void {
    const lost = this.#listeners.lost()
    if (lost === null) done.forEach(settle)
    else this.#rejectAll(done, lost)
  }

  /** @returns `undefined` when the batch ends */
  #next(count: number): PendingTransaction | undefined {
    return count > 0 && this.#queue[0]?.withoutForeignKeys === true ? undefined : this.#queue.shift()
  }

  /** The number of rows that were changed so far: a batch that does not raise it needs no sync. */
  #totalChanges(): unknown {
    return this.#connection.run('SELECT total_changes() AS n', [], true).rows[0]?.['n']
  }

  /** @returns `false` when the sync failed; then readers do not see the batch until it is on the disk */
  async #sync(log: DurableLog, done: FinishedTransaction[]): Promise<boolean> {
    const beganMs = performance.now()
    try {
      this.#syncing = log.sync(() => this.#restartLog())
      await this.#syncing
      this.#gatherWindow.open(beganMs)
      return true
    } catch (error) {
      this.#uncertain = done
      this.#rejectAll(done, error)
      return false
    }
  }

  #restartLog(): void {
    if (!this.#closed) this.#draining ??= this.#drain()
  }

  /** Writes the log again after a failed sync. Until this succeeds, waiting transactions are refused. */
  async #recover(uncertain: FinishedTransaction[]): Promise<void> {
    try {
      this.#syncing = this.#log?.rewrite() ?? Promise.resolve()
      await this.#syncing
    } catch (error) {
      this.#rejectAll(this.#queue.splice(0), error)
      return delay(this.#closed ? 0 : recoveryIntervalMs)
    }
    this.#uncertain = null
    this.#listeners.committed()
    uncertain.forEach(settle) // the callers have an error already; this calls the listeners
  }

  /** @returns `false` when another process is writing, or the file is lost or cannot be written */
  async #begin(): Promise<boolean> {
    const lost = this.#listeners.lost()
    if (lost !== null) {
      this.#rejectAll(this.#queue.splice(0), lost)
      return false
    }
    try {
      this.#connection.run('BEGIN IMMEDIATE', [], true)
      return true
    } catch (error) {
      this.#connection.end('ROLLBACK')
      if (!(this.#listeners.translate(error) instanceof DatabaseBusy)) {
        this.#rejectAll(this.#queue.splice(0, maxBatchTransactions), error)
        return false
      }
      const earliestMs = performance.now() - this.lockWaitMs
      const expired = this.#queue.findIndex(({ sinceMs }) => sinceMs > earliestMs)
      this.#rejectAll(this.#queue.splice(0, expired < 0 ? this.#queue.length : expired), error)
      await delay(lockPollMs)
      return false
    }
  }

  async #runInSavepoint(
    waiting: PendingTransaction,
    transaction: SavepointTransaction,
  ): Promise<FinishedTransaction | null> {
    try {
      this.#connection.run('SAVEPOINT work', [], true)
      const value = await waiting.work(transaction)
      transaction.finish()
      this.#connection.run('RELEASE work', [], true)
      return { ...waiting, value, listeners: transaction.listeners }
    } catch (error) {
      transaction.finish()
      waiting.reject(this.#listeners.translate(error))
      this.#leaveSavepoint()
      return null
    }
  }

  /** If a damaged file refuses even that, the whole batch is rolled back. */
  #leaveSavepoint(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK TO work; RELEASE work')
    } catch {
      this.#connection.end('ROLLBACK')
    }
  }

  #rejectAll(all: PendingTransaction[], error: unknown): void {
    const known = this.#listeners.translate(error)
    for (const waiting of all) waiting.reject(known)
  }
}

/** Answers the caller of a transaction. If one of its listeners fails, only this caller gets the error. */
function settle({ value, listeners, resolve, reject }: FinishedTransaction): void {
  try {
    for (const listener of listeners) listener()
    resolve(value)
  } catch (error) {
    reject(error)
  }
}
