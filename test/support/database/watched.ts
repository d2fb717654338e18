/** A database that records its transactions: how much each did, and whether the event loop turned before it. */
import type { Database, Transaction } from '../../../src/database/executor.ts'

export interface WatchedTransaction {
  /** Rows that were changed. */
  rows: number
  statements: number
  /** Of the event loop, since the one before it has ended. */
  turnsBefore: number
  /** On SQLite the thread does nothing else meanwhile. */
  tookMs: number
}

/** @param began called when a transaction is asked for */
export function watched(database: Database, seen: WatchedTransaction[], began?: () => void): Database {
  let turns = 0
  let turnsAtEnd = 0
  const count = (): void => {
    turns++
    setImmediate(count).unref()
  }
  setImmediate(count).unref()
  return {
    dialect: database.dialect,
    executor: database.executor,
    probe: database.probe,
    isDamaged: database.isDamaged,
    check: () => database.check(),
    executorFor: (owner) => database.executorFor(owner),
    scan: (sql, parameters, options) => database.scan(sql, parameters, options),
    snapshot: (work) => database.snapshot(work),
    onChange: (listener) => database.onChange(listener),
    close: () => database.close(),
    [Symbol.asyncDispose]: () => database.close(),
    transaction: (work) => {
      const told: WatchedTransaction = { rows: 0, statements: 0, turnsBefore: 0, tookMs: 0 }
      began?.()
      const tell = async (transaction: Transaction) => {
        told.turnsBefore = turns - turnsAtEnd
        const beganMs = performance.now()
        const outcome = await work(counting(transaction, told))
        told.tookMs = performance.now() - beganMs
        return outcome
      }
      return database.transaction(tell).finally(() => {
        seen.push(told)
        turnsAtEnd = turns
      })
    },
  }
}

function counting(transaction: Transaction, told: WatchedTransaction): Transaction {
  return {
    dialect: transaction.dialect,
    announce: (change) => transaction.announce(change),
    afterCommit: (listener) => transaction.afterCommit(listener),
    run: async (sql, parameters, reusable) => {
      const result = await transaction.run(sql, parameters, reusable)
      told.statements++
      if (!/^select/i.test(sql)) told.rows += result.affected
      return result
    },
  }
}
