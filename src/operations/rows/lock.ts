/** The locks of a move: on the writes of a tenant, and on operations of other processes. */
import {
  type Database,
  DatabaseBusy,
  DatabaseUnavailable,
  type Transaction,
} from '../../database/executor.ts'
import { lockExclusively, siblingOf } from '../../database/sqlite/lock-file.ts'
import { tenantLocks } from '../../database/tenant-lock.ts'

/**
 * Runs `work` while no transaction writes rows of the tenant: earlier ones have committed, later ones wait until this
 * one ends. On SQLite all writers of the file wait.
 * @param limitMs the limit of the wait and of the work, each; `check` throws once the work has exceeded it
 * @throws DatabaseUnavailable when the lock was not acquired in time: worth a retry
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
      await transaction.run(
        'SELECT pg_advisory_xact_lock($1, hashtext($2))',
        [tenantLocks.writes, tenant],
        false,
      )
    }
    const until = performance.now() + limitMs
    return work(transaction, () => {
      if (performance.now() > until) throw new DatabaseUnavailable('Holding writes took too long.')
    })
  })
}

/**
 * Runs `work` unless another process moves the same tenant; on SQLite, any tenant of the service. The lock ends with
 * the connection, however this process ends.
 * @param file the SQLite database beside which the lock file is
 * @returns `null` when `work` did not run
 */
export async function runLocked<T>(
  catalogue: Database,
  file: string,
  tenant: string,
  work: () => Promise<T>,
): Promise<{ value: T } | null> {
  if (catalogue.dialect === 'sqlite') return runWithFile(file, work)
  return catalogue.transaction(async (transaction) => {
    const sql = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine'
    const { rows } = await transaction.run(sql, [tenantLocks.operation, tenant], false)
    return rows[0]?.['mine'] === true ? { value: await work() } : null
  })
}

async function runWithFile<T>(file: string, work: () => Promise<T>): Promise<{ value: T } | null> {
  let unlock: () => void
  try {
    unlock = lockExclusively(siblingOf(file, '-move'))
  } catch (error) {
    if (error instanceof DatabaseBusy) return null
    throw error
  }
  try {
    return { value: await work() }
  } finally {
    unlock()
  }
}
