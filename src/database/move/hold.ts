import { DatabaseSync } from 'node:sqlite'
import { type Database, DatabaseUnavailable, type Transaction } from '../executor.ts'
import { translate } from '../sqlite/failure.ts'
import { moveLock, runLock } from './lock.ts'

/** What has to be done while writes are held has taken too long. Nothing of it has happened. */
export class HeldTooLong extends DatabaseUnavailable {
  constructor() {
    super('Writes would have been held for too long.')
  }
}

/**
 * Runs `work` while nobody writes rows of the tenant: whoever has begun has committed, and whoever begins waits until
 * the transaction ends. On SQLite all writers of the file wait.
 * @param limitMs for waiting and for the work, each; `check` in the work throws behind it
 * @throws DatabaseUnavailable when it was not to be had in time: to be tried again
 */
export function holdWrites<T>(
  source: Database,
  tenant: string,
  limitMs: number,
  work: (transaction: Transaction, check: () => void) => Promise<T>,
): Promise<T> {
  return source.transaction(async (transaction) => {
    if (source.dialect === 'postgres') {
      await transaction.run(`SET LOCAL lock_timeout = ${limitMs}`, [], false)
      await transaction.run('SELECT pg_advisory_xact_lock($1, hashtext($2))', [moveLock, tenant], false)
    }
    const until = performance.now() + limitMs
    return work(transaction, () => {
      if (performance.now() > until) throw new HeldTooLong()
    })
  })
}

/** How long writes on SQLite wait for those of other processes, where it is not the usual. PostgreSQL's have `limitMs`. */
export async function waitAtMost(database: Database, ms: number = usualWaitMs): Promise<void> {
  if (database.dialect === 'postgres') return
  await database.transaction(async (transaction) => {
    await transaction.run(`PRAGMA busy_timeout = ${ms}`, [], false)
  })
}

/** As the connections are opened. */
const usualWaitMs = 5000

/**
 * Runs `work` unless another process moves the same tenant; on SQLite, any tenant of the service. The lock goes with
 * the connection, however this process ends.
 * @param file beside which SQLite keeps the lock
 * @returns whether it was run
 */
export async function runAlone(
  catalogue: Database,
  file: string,
  tenant: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (catalogue.dialect === 'sqlite') return runWithFile(`${file}-move`, work)
  return catalogue.transaction(async (transaction) => {
    const sql = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine'
    const { rows } = await transaction.run(sql, [runLock, tenant], false)
    if (rows[0]?.['mine'] !== true) return false
    await work()
    return true
  })
}

/** A database with nothing in it, for its lock alone. */
async function runWithFile(path: string, work: () => Promise<void>): Promise<boolean> {
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    try {
      connection.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      if (translate(error) instanceof DatabaseUnavailable) return false
      throw error
    }
    await work()
    return true
  } finally {
    connection.close()
  }
}
