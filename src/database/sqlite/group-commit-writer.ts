import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseBusy, DatabaseUnavailable, type Transaction } from '../executor.ts'
import type { SqliteConnection } from './connection.ts'
import type { DurableLog } from './durable-log.ts'
import { batchLost, SavepointTransaction, type TransactionOwner } from './savepoint-transaction.ts'

/** At most this many transactions share one commit, so that none waits long for the others. */
const maxBatchTransactions = 128
/** Nor longer than this and one transaction more: a batch has the thread to itself. */
const maxBatchMs = 10

/** As often another process is looked after that writes. */
const lockPollMs = 5
/** How long it is waited for, where nothing else is said. */
export const defaultLockWaitMs = 5000

/** After a sync the next batch waits for company: this share of the time that the sync has taken. */
const gatherTimeShare = 0.25
const maxGatherMs = 10

/** The disk is tried again as often after a sync that failed. */
const recoveryIntervalMs = 500
/** About 256 MiB. */
const maxLogFrames = 65_536
interface PendingTransaction {
  sinceMs: number
  work: (transaction: Transaction) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface WriteListeners extends TransactionOwner {
  /** A batch is about to be committed, and nobody may see it before it is durable. */
  committing(): void
  /** A batch is durable; nobody has been told of it yet. */
  committed(): void
}

interface FinishedTransaction extends PendingTransaction {
  value: unknown
  listeners: (() => void)[]
}

/**
 * The one writer of a SQLite file, with group commit: transactions that wait together run one after the
 * other, each in a savepoint of its own, and share one COMMIT and so one sync. Nobody is answered before it.
 */
export class GroupCommitWriter {
  readonly #connection: SqliteConnection
  readonly #listeners: WriteListeners
  readonly #queue: PendingTransaction[] = []
  /** Without one, COMMIT itself waits for the disk. */
  #log: DurableLog | null = null
  #syncing: Promise<void> = Promise.resolve()
  #gatherUntilMs = 0
  /** Committed, and perhaps not on the disk: what comes later depends on it. */
  #uncertain: FinishedTransaction[] | null = null
  #draining: Promise<void> | null = null
  #closed = false
  /** How long another process that writes is waited for. Everybody else is served meanwhile. */
  lockWaitMs = defaultLockWaitMs

  constructor(connection: SqliteConnection, listeners: WriteListeners) {
    this.#connection = connection
    this.#listeners = listeners
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new DatabaseUnavailable('The database is closed.'))
      const sinceMs = performance.now()
      // The value that `work` gives is handed back to the same caller: T in, T out.
      this.#queue.push({ sinceMs, work, resolve: resolve as PendingTransaction['resolve'], reject })
      this.#draining ??= this.#drain()
    })
  }

  /**
   * From now on COMMIT appends to the log, and the log is synced while this thread goes on. SQLite syncs the header of
   * a log by itself, and copies into the file what has grown too long because the checkpointer cannot.
   */
  async syncOffThread(log: DurableLog): Promise<void> {
    await this.#draining
    this.#connection.configure(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${maxLogFrames}`)
    this.#log = log
  }

  /** Waits until all that is committed now is on the disk. @throws DatabaseUnavailable when that is not known */
  durable(): Promise<void> {
    return this.#syncing
  }

  /**
   * Takes nothing more, and waits for what is under way.
   * @param others the end of other connections to the file: the last one copies its log
   * @throws DatabaseUnavailable: closing writes the journal into the file
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
      // One turn of the event loop lets every request that has already arrived join the batch, and others be served.
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#queue.length < maxBatchTransactions) await this.#gather()
      await this.#step().catch((error: unknown) => this.#rejectAll(this.#queue.splice(0), error))
    } while (this.#queue.length > 0 || (this.#uncertain !== null && !this.#closed))
    this.#draining = null
  }

  async #step(): Promise<void> {
    if (this.#uncertain !== null) await this.#recover(this.#uncertain)
    else if (this.#log?.needsRestart) await this.#log.restart()
    if (this.#uncertain === null && this.#queue.length > 0) await this.#commitBatch()
  }

  /** On a slow disk those who have just been answered come back to share the next sync instead of waiting for it. */
  async #gather(): Promise<void> {
    const waitMs = this.#gatherUntilMs - performance.now()
    if (waitMs >= 1) await delay(waitMs)
  }

  async #commitBatch(): Promise<void> {
    const changesBefore = this.#totalChanges()
    if (!(await this.#begin())) return
    const done: FinishedTransaction[] = []
    let alters = false
    const endsMs = performance.now() + maxBatchMs
    for (let count = 0; count < maxBatchTransactions && performance.now() < endsMs; count++) {
      const waiting = this.#queue.shift()
      if (waiting === undefined) break
      const transaction = new SavepointTransaction(this.#connection, this.#listeners)
      const finished = await this.#runInSavepoint(waiting, transaction)
      if (finished !== null) done.push(finished)
      alters ||= transaction.alters
      // A full disk ends the whole transaction by itself, and takes along what ran before.
      if (!this.#connection.isTransaction) return this.#rejectAll(done, batchLost())
    }
    let log: DurableLog | null = null
    try {
      if (alters || this.#totalChanges() !== changesBefore) log = this.#log
      if (log !== null) this.#listeners.committing()
      this.#connection.exec('COMMIT')
    } catch (error) {
      this.#connection.end('ROLLBACK')
      this.#listeners.committed()
      return this.#rejectAll(done, error)
    }
    if (log !== null && !(await this.#sync(log, done))) return
    this.#listeners.committed()
    done.forEach(settle)
  }

  /** A batch that has written nothing leaves nothing to sync. */
  #totalChanges(): unknown {
    return this.#connection.run('SELECT total_changes() AS n', [], true).rows[0]?.['n']
  }

  /** @returns false when it failed; then the present state stays hidden until it is known to be on the disk */
  async #sync(log: DurableLog, done: FinishedTransaction[]): Promise<boolean> {
    const beganMs = performance.now()
    try {
      this.#syncing = log.sync(() => this.#restartLog())
      await this.#syncing
      const endedMs = performance.now()
      this.#gatherUntilMs = endedMs + Math.min((endedMs - beganMs) * gatherTimeShare, maxGatherMs)
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

  /** Those who wait are refused until it succeeds. */
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
    uncertain.forEach(settle) // their callers have an answer: this is for those who listen
  }

  /** @returns false when another process has the file, or it cannot be written to */
  async #begin(): Promise<boolean> {
    try {
      this.#connection.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      this.#connection.end('ROLLBACK')
      if (!(this.#listeners.translate(error) instanceof DatabaseBusy)) {
        this.#rejectAll(this.#queue.splice(0, maxBatchTransactions), error)
        return false
      }
      const longAgoMs = performance.now() - this.lockWaitMs
      const patient = this.#queue.findIndex(({ sinceMs }) => sinceMs > longAgoMs)
      this.#rejectAll(this.#queue.splice(0, patient < 0 ? this.#queue.length : patient), error)
      await delay(lockPollMs)
      return false
    }
  }

  async #runInSavepoint(
    waiting: PendingTransaction,
    transaction: SavepointTransaction,
  ): Promise<FinishedTransaction | null> {
    try {
      this.#connection.exec('SAVEPOINT work')
      const value = await waiting.work(transaction)
      transaction.finish()
      this.#connection.exec('RELEASE work')
      return { ...waiting, value, listeners: transaction.listeners }
    } catch (error) {
      transaction.finish()
      waiting.reject(this.#listeners.translate(error))
      this.#leaveSavepoint()
      return null
    }
  }

  /** Where a damaged file does not even let the savepoint go, the transactions before it are given up with it. */
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

/** A listener that fails is its own transaction's fault; the others are told of theirs. */
function settle({ value, listeners, resolve, reject }: FinishedTransaction): void {
  try {
    for (const listener of listeners) listener()
    resolve(value)
  } catch (error) {
    reject(error)
  }
}
