import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseBusy, DatabaseUnavailable, type Result, type Transaction } from '../executor.ts'
import { translate } from './failure.ts'
import { Statements } from './statements.ts'

/** At most this many transactions share one commit, so that none waits long for the others. */
const batchLimit = 128

/** As often another process is looked after that writes. */
const lookEveryMs = 5
/** How long it is waited for, where nothing else is said. */
export const usualWaitMs = 5000

interface Waiting {
  sinceMs: number
  work: (transaction: Transaction) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface WriteListeners {
  /** A batch is durable; nobody has been told of it yet. */
  committed(): void
  announced(change: string): void
}

interface Done extends Waiting {
  value: unknown
  listeners: (() => void)[]
}

/**
 * The one writer of a SQLite file, with group commit: transactions that wait together run one after the
 * other, each in a savepoint of its own, and share one COMMIT and so one fsync. Nobody is answered before it.
 */
export class Writes {
  readonly #connection: DatabaseSync
  readonly #statements: Statements
  readonly #listeners: WriteListeners
  readonly #queue: Waiting[] = []
  #draining: Promise<void> | null = null
  #closed = false
  /** How long another process that writes is waited for. Everybody else is served meanwhile. */
  waitMs = usualWaitMs

  constructor(connection: DatabaseSync, listeners: WriteListeners) {
    this.#connection = connection
    this.#statements = new Statements(connection)
    this.#listeners = listeners
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new DatabaseUnavailable('The database is closed.'))
      const sinceMs = performance.now()
      // The value that `work` gives is handed back to the same caller: T in, T out.
      this.#queue.push({ sinceMs, work, resolve: resolve as Waiting['resolve'], reject })
      this.#draining ??= this.#drain()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets every request that has already arrived join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) await this.#commitBatch()
    this.#draining = null
  }

  async #commitBatch(): Promise<void> {
    if (!(await this.#begin())) return
    const done: Done[] = []
    for (let count = 0; count < batchLimit; count++) {
      const waiting = this.#queue.shift()
      if (waiting === undefined) break
      const finished = await this.#runInSavepoint(waiting)
      if (finished !== null) done.push(finished)
      // A full disk ends the whole transaction by itself, and takes along what ran before.
      if (!this.#connection.isTransaction) return this.#rejectAll(done, batchLost())
    }
    try {
      this.#connection.exec('COMMIT')
    } catch (error) {
      this.#rollback()
      return this.#rejectAll(done, error)
    }
    this.#listeners.committed()
    done.forEach(settle)
  }

  /** @returns false when another process has the file, or it cannot be written to */
  async #begin(): Promise<boolean> {
    try {
      this.#connection.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (!(translate(error) instanceof DatabaseBusy)) {
        this.#rejectAll(this.#queue.splice(0, batchLimit), error)
        return false
      }
      const longAgoMs = performance.now() - this.waitMs
      const patient = this.#queue.findIndex(({ sinceMs }) => sinceMs > longAgoMs)
      this.#rejectAll(this.#queue.splice(0, patient < 0 ? this.#queue.length : patient), error)
      await delay(lookEveryMs)
      return false
    }
  }

  async #runInSavepoint(waiting: Waiting): Promise<Done | null> {
    const transaction = new SavepointTransaction(this.#statements, this.#listeners.announced)
    try {
      this.#connection.exec('SAVEPOINT work')
      const value = await waiting.work(transaction)
      transaction.finish()
      this.#connection.exec('RELEASE work')
      return { ...waiting, value, listeners: transaction.listeners }
    } catch (error) {
      transaction.finish()
      waiting.reject(translate(error))
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK TO work; RELEASE work')
      return null
    }
  }

  /** A full disk can end the transaction by itself; then there is nothing to roll back. */
  #rollback(): void {
    if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
  }

  #rejectAll(all: Waiting[], error: unknown): void {
    for (const waiting of all) waiting.reject(translate(error))
  }
}

/** A listener that fails is its own transaction's fault; the others are told of theirs. */
function settle({ value, listeners, resolve, reject }: Done): void {
  try {
    for (const listener of listeners) listener()
    resolve(value)
  } catch (error) {
    reject(error)
  }
}

function batchLost(): DatabaseUnavailable {
  return new DatabaseUnavailable('The commit was lost with that of another transaction.')
}

class SavepointTransaction implements Transaction {
  readonly dialect = 'sqlite'
  readonly listeners: (() => void)[] = []
  readonly #statements: Statements
  readonly #announce: (change: string) => void
  #finished = false

  constructor(statements: Statements, announce: (change: string) => void) {
    this.#statements = statements
    this.#announce = announce
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<Result> {
    if (this.#finished) throw new Error('A statement came after its transaction had ended.')
    try {
      return this.#statements.run(sql, parameters, reusable)
    } catch (error) {
      throw translate(error)
    }
  }

  async announce(change: string): Promise<void> {
    this.afterCommit(() => this.#announce(change))
  }

  afterCommit(listener: () => void): void {
    this.listeners.push(listener)
  }

  finish(): void {
    this.#finished = true
  }
}
