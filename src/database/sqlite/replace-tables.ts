/** Runs the statements of a migration that replaces tables while foreign keys are off. */
import { ConstraintViolation, type Transaction } from '../executor.ts'

interface Trigger {
  table: string
  sql: string
}

/**
 * Dropping a table drops its triggers, so that they are created again on the table that replaces it. Without them, the
 * changes of a tenant that is being moved would be lost.
 * @throws ConstraintViolation for a row that then refers to a row that does not exist
 */
export async function replaceTables(transaction: Transaction, statements: readonly string[]): Promise<void> {
  const lost = new Map<string, Trigger>()
  for (const statement of statements) {
    const before = await triggersIn(transaction)
    await transaction.run(statement, [], false)
    const after = await triggersIn(transaction)
    for (const [name, trigger] of before) if (!after.has(name)) lost.set(name, trigger)
    await restore(transaction, lost)
  }
  await refuseBrokenReferences(transaction)
}

async function triggersIn(transaction: Transaction): Promise<Map<string, Trigger>> {
  const text = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'"
  const { rows } = await transaction.run(text, [], false)
  return new Map(
    rows.map((row) => [String(row['name']), { table: String(row['tbl_name']), sql: String(row['sql']) }]),
  )
}

async function restore(transaction: Transaction, lost: Map<string, Trigger>): Promise<void> {
  for (const [name, { table, sql }] of lost) {
    const text = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    if ((await transaction.run(text, [table], false)).rows.length === 0) continue
    await transaction.run(sql, [], false)
    lost.delete(name)
  }
}

/** @throws ConstraintViolation for a row that refers to a row that does not exist */
export async function refuseBrokenReferences(transaction: Transaction): Promise<void> {
  const { rows } = await transaction.run('PRAGMA foreign_key_check', [], false)
  const [row] = rows
  if (row === undefined) return
  const text = `${rows.length} rows refer to rows that do not exist, such as one of ${row['table']} to ${row['parent']}`
  throw new ConstraintViolation('foreignKey', text, null)
}
