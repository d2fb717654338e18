import type { Transaction } from '../../src/database/executor.ts'

export async function runStatement(transaction: Transaction, sql: string): Promise<void> {
  await transaction.run(sql, [], false)
}
