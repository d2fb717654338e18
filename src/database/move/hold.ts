import { type Database, DatabaseUnavailable, type Transaction } from '../executor.ts'
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
 * Runs `work` unless another process does for the same tenant. On SQLite who calls it has to know by other means.
 * @returns whether it was run
 */
export async function runAlone(
  catalogue: Database,
  tenant: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (catalogue.dialect === 'sqlite') {
    await work()
    return true
  }
  // The lock goes with the connection, however this process ends.
  return catalogue.transaction(async (transaction) => {
    const sql = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine'
    const { rows } = await transaction.run(sql, [runLock, tenant], false)
    if (rows[0]?.['mine'] !== true) return false
    await work()
    return true
  })
}
