/** Statements of one connection, each run when it is asked for: for databases that nobody waits for. */
import type { DatabaseSync } from 'node:sqlite'
import type { Executor, StatementResult } from '../executor.ts'
import { translate } from './failure.ts'
import { Statements } from './statements.ts'

export function directExecutor(connection: DatabaseSync): Executor {
  const statements = new Statements(connection)
  return {
    dialect: 'sqlite',
    run: async (sql, parameters, reusable): Promise<StatementResult> => {
      try {
        return statements.run(sql, parameters, reusable)
      } catch (error) {
        throw translate(error)
      }
    },
  }
}
