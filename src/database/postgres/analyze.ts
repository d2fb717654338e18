import { DatabaseBusy, type Executor, StatementTimedOut } from '../executor.ts'
import { quote } from '../sql-text.ts'

/**
 * Renews the statistics of a table, by which PostgreSQL plans its own checks of foreign keys. Without statistics these
 * checks are only slow, so that a table that is locked, or that takes too long, is skipped.
 * @throws DatabaseUnavailable
 */
export async function analyzeTable(executor: Executor, table: string): Promise<void> {
  try {
    await executor.run(`ANALYZE ${quote(table)}`, [], false)
  } catch (error) {
    if (!(error instanceof DatabaseBusy || error instanceof StatementTimedOut)) throw error
  }
}
