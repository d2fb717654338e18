/** Prepares a database for the rows of a tenant, and removes such rows. */
import { defined } from '../../core/defined.ts'
import { inBatches } from '../../database/batches.ts'
import type { Database, Row, Transaction } from '../../database/executor.ts'
import { KeyProgress } from '../../database/key-progress.ts'
import { serverIdentifier } from '../../database/postgres/server.ts'
import { quote } from '../../database/sql-text.ts'
import { removeCapture } from './capture.ts'
import { deleteChangeBatch, removeCopyPosition, removeFence } from './move-state.ts'
import { deleteRows, deleteRowsOf, hasOthers, hasRows, type Key, keyOf, readPage } from './rows.ts'
import type { TableShape } from './shape.ts'

export interface RowRemoval {
  tenant: string
  /** Each table before those that reference it. */
  shapes: readonly TableShape[]
  /** By table, a condition for the rows to remove; `null` keeps all rows of the table. */
  only: ReadonlyMap<string, string | null>
}

/** Removes the tenant's rows and the state of a move. */
export async function removeRows(database: Database, removal: RowRemoval): Promise<void> {
  await removeCapture(database, removal.tenant)
  await deleteAll(database, removal)
  await removeMoveState(database, removal.tenant)
}

export async function deleteAll(database: Database, { tenant, shapes, only }: RowRemoval): Promise<void> {
  for (const shape of shapes.toReversed()) {
    const where = only.get(shape.name)
    if (where !== null) await deleteFrom(database, shape, tenant, where)
  }
}

/** Removes the change log, the copy position and the fence. */
export async function removeMoveState(database: Database, tenant: string): Promise<void> {
  while ((await deleteChangeBatch(database, tenant)) > 0);
  await database.transaction(async (transaction) => {
    await removeCopyPosition(transaction, tenant)
    await removeFence(transaction, tenant)
  })
}

async function deleteFrom(
  database: Database,
  shape: TableShape,
  tenant: string,
  where: string | undefined,
): Promise<void> {
  // Rows that reference each other cannot be removed in parts, and rows without a primary key cannot be paged.
  if (shape.parents.includes(shape.name) || shape.primary.length === 0)
    return database.transaction((transaction) => deleteRowsOf(transaction, shape, tenant, where))
  const keysOnly = { ...shape, columns: shape.primary }
  let after: Key | null = null
  const progress = new KeyProgress()
  const next = async (limit: number): Promise<Key[] | null> => {
    const page = defined({ after, limit, where })
    const rows: Row[] = await readPage(database.executor, keysOnly, tenant, page)
    return rows.length === 0 ? null : rows.map((row) => keyOf(shape, row))
  }
  const work = async (transaction: Transaction, keys: Key[]): Promise<void> => {
    await deleteRows(transaction, shape, tenant, keys)
    after = keys.at(-1) ?? null
    progress.advance(JSON.stringify(after))
  }
  await inBatches(database, { next, work })
}

/** @returns the tables in which the tenant has rows */
export async function occupiedTables(
  database: Database,
  shapes: readonly TableShape[],
  tenant: string,
): Promise<string[]> {
  const found: string[] = []
  for (const shape of shapes) if (await hasRows(database.executor, shape, tenant)) found.push(shape.name)
  return found
}

/** Whether another tenant has rows in the database. */
export async function hasOtherTenants(
  database: Database,
  shapes: readonly TableShape[],
  tenant: string,
): Promise<boolean> {
  for (const shape of shapes) if (await hasOthers(database.executor, shape, tenant)) return true
  return false
}

/** Lets a copying transaction write rows in any order. Other transactions are not affected. */
export async function makeReferencesDeferrable(
  database: Database,
  shapes: readonly TableShape[],
): Promise<void> {
  if (database.dialect === 'sqlite') return // SQLite can defer any foreign key
  const { rows } = await database.executor.run(
    `SELECT f.conname AS name, c.relname AS relation FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid
     WHERE f.contype = 'f' AND NOT f.condeferrable AND c.relnamespace = current_schema()::regnamespace`,
    [],
    false,
  )
  const tables = new Set(shapes.map(({ name }) => name))
  for (const { name, relation } of rows.filter((row) => tables.has(String(row['relation'])))) {
    const alter = `ALTER TABLE ${quote(String(relation))} ALTER CONSTRAINT ${quote(String(name))} DEFERRABLE`
    await database.transaction(async (transaction) => {
      await transaction.run(`SET LOCAL lock_timeout = ${alterTimeoutMs}`, [], false)
      await transaction.run(alter, [], false)
    })
  }
}

/** A statement that waits for a table lock blocks all writers of the table. */
const alterTimeoutMs = 900

/** Whether values that only one database server understands, such as positions of events, can be copied. */
export async function isSameServer(source: Database, target: Database): Promise<boolean> {
  if (source.dialect !== target.dialect) return false
  if (source.dialect === 'sqlite') return true
  return (await serverIdentifier(source.executor)) === (await serverIdentifier(target.executor))
}
