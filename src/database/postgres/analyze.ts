import { DatabaseBusy, type Executor, StatementTimedOut } from '../executor.ts'
import { quote } from '../sql-text.ts'

/**
 * Renews the statistics of a table, by which PostgreSQL plans its own checks of foreign keys. Without them the checks
 * are right, and slow: a table that somebody else locks, or that is too large for a statement, is left as it is.
 * @throws DatabaseUnavailable
 */
export async function analyzeTable(executor: Executor, table: string): Promise<void> {
  try {
    await executor.run(`ANALYZE ${quote(table)}`, [], false)
  } catch (error) {
    if (!(error instanceof DatabaseBusy || error instanceof StatementTimedOut)) throw error
  }
}
