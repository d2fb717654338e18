import type { Executor } from '../executor.ts'
import { placeholders } from '../sql-text.ts'

/** Whether rows of the tenant are being brought here, or were to be and are left half-way. @param key its folded id */
export async function isArriving(executor: Executor, key: string): Promise<boolean> {
  const sql = `SELECT 1 FROM move_arrival WHERE lower(tenant) = ${placeholders(executor.dialect)(1)}`
  return (await executor.run(sql, [key], true)).rows.length > 0
}
