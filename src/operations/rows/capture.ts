/**
 * Triggers on the tables of a source database for one tenant. They log changes of its rows, so that a move can follow
 * them, and refuse writes once the fence, a row that ends writing, is set.
 */
import { hash } from 'node:crypto'
import {
  type Database,
  DatabaseUnavailable,
  type Dialect,
  type Transaction,
  tenantMovedMessage,
} from '../../database/executor.ts'
import { tenantColumn } from '../../database/scope.ts'
import { quote } from '../../database/sql-text.ts'
import type { TableShape } from './shape.ts'

const operations = ['INSERT', 'UPDATE', 'DELETE'] as const
type Operation = (typeof operations)[number]

/** PostgreSQL truncates longer names. */
const maxNameLength = 63
const digestLength = 8
const lockTimeoutMs = 300
const maxAttempts = 40

/**
 * @param openTables tables that accept writes after the fence as well
 * @returns whether every trigger existed already, so that no change was missed
 */
export async function installCapture(
  source: Database,
  shapes: readonly TableShape[],
  tenant: string,
  openTables: ReadonlySet<string>,
): Promise<boolean> {
  let complete = true
  for (const shape of shapes) {
    const isOpen = openTables.has(shape.name)
    const created = await withShortLockWait(source, (inside) =>
      install(inside, shape, tenant, { wanted: operations, isOpen }),
    )
    if (created > 0) complete = false
  }
  return complete
}

/** Called after the fence is set. When it returns, earlier transactions have committed, and no row can be added. */
export async function refuseNewRows(
  source: Database,
  shapes: readonly TableShape[],
  tenant: string,
): Promise<void> {
  for (const shape of shapes)
    await withShortLockWait(source, (inside) =>
      install(inside, shape, tenant, { wanted: ['INSERT'], isOpen: false }),
    )
}

/** @param isOpen whether the table accepts writes after the fence as well @returns the number of created triggers */
async function install(
  transaction: Transaction,
  shape: TableShape,
  tenant: string,
  { wanted, isOpen }: { wanted: readonly Operation[]; isOpen: boolean },
): Promise<number> {
  const existing = await triggersIn(transaction, tenant)
  const missing = wanted.filter((operation) => !existing.has(nameOf(tenant, operation, shape)))
  for (const operation of missing)
    await transaction.run(createTrigger(transaction.dialect, shape, tenant, operation, isOpen), [], false)
  return missing.length
}

export async function removeCapture(source: Database, tenant: string): Promise<void> {
  for (const [name, table] of await triggersIn(source.executor, tenant)) {
    const on = source.dialect === 'postgres' ? ` ON ${quote(table)}` : ''
    await withShortLockWait(source, async (transaction) => {
      await transaction.run(`DROP TRIGGER IF EXISTS ${quote(name)}${on}`, [], false)
    })
  }
}

/** A statement that waits for a table lock blocks all writers of the table, so it waits briefly and is retried. */
async function withShortLockWait<T>(
  source: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await source.transaction(async (transaction) => {
        if (source.dialect === 'postgres')
          await transaction.run(`SET LOCAL lock_timeout = ${lockTimeoutMs}`, [], false)
        return work(transaction)
      })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || tries === maxAttempts) throw error
      await new Promise((resolve) => setTimeout(resolve, lockTimeoutMs))
    }
  }
}

/** @returns tables by trigger name */
async function triggersIn(
  executor: Pick<Transaction, 'run' | 'dialect'>,
  tenant: string,
): Promise<Map<string, string>> {
  const sql =
    executor.dialect === 'sqlite'
      ? "SELECT name, tbl_name AS relation FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?"
      : `SELECT g.tgname AS name, c.relname AS relation FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
         WHERE c.relnamespace = current_schema()::regnamespace AND substr(g.tgname, 1, $1) = $2`
  const prefix = prefixOf(tenant)
  const { rows } = await executor.run(sql, [prefix.length, prefix], false)
  return new Map(rows.map(({ name, relation }) => [String(name), String(relation)]))
}

function prefixOf(tenant: string): string {
  return `move_${hash('sha256', tenant).slice(0, 12)}_`
}

/** The digest tells apart long names that begin alike: a trigger of one table must not pass for that of another. */
function nameOf(tenant: string, operation: Operation, { name }: TableShape): string {
  const full = `${prefixOf(tenant)}${operation.toLowerCase()}_${name}`
  if (full.length <= maxNameLength) return full
  const digest = hash('sha256', name).slice(0, digestLength)
  return `${full.slice(0, maxNameLength - digestLength - 1)}_${digest}`
}

function createTrigger(
  dialect: Dialect,
  shape: TableShape,
  tenant: string,
  operation: Operation,
  isOpen: boolean,
): string {
  const create = `CREATE TRIGGER ${quote(nameOf(tenant, operation, shape))} AFTER ${operation} ON ${quote(shape.name)}`
  const rows = operation === 'UPDATE' ? ['old', 'new'] : [operation === 'INSERT' ? 'new' : 'old']
  const isOurs = rows.map((row) => `${row}.${quote(tenantColumn)} = ${literal(tenant)}`).join(' OR ')
  if (dialect === 'postgres') {
    const given = [tenant, isOpen ? 'open' : 'closed', ...shape.key].map(literal)
    return `${create} FOR EACH ROW WHEN (${isOurs}) EXECUTE FUNCTION move_note(${given.join(', ')})`
  }
  const isGone = `EXISTS (SELECT 1 FROM move_fence WHERE tenant = ${literal(tenant)})`
  const notes = rows.map((row) => {
    const key = shape.key.map((column) => `${row}.${quote(column)}`)
    const values = `${literal(tenant)}, ${literal(shape.name)}, json_array(${key.join(', ')})`
    return `INSERT INTO move_log (tenant, relation, key) SELECT ${values} WHERE NOT ${isGone};`
  })
  const refusal = isOpen ? '' : `SELECT RAISE(ABORT, ${literal(tenantMovedMessage)}) WHERE ${isGone};`
  return `${create} WHEN ${isOurs} BEGIN ${refusal} ${notes.join(' ')} END`
}

/** @param sql the statement of a trigger, from a schema @returns whether it belongs to a move, of any tenant */
export function isCapture(sql: string, shapes: readonly TableShape[]): boolean {
  const [, quoted] = /INSERT INTO move_log \(tenant, relation, key\) SELECT '((?:[^']|'')*)'/.exec(sql) ?? []
  if (quoted === undefined) return false
  const tenant = quoted.replaceAll("''", "'")
  return shapes.some((shape) =>
    operations.some((operation) =>
      [true, false].some((isOpen) => createTrigger('sqlite', shape, tenant, operation, isOpen) === sql),
    ),
  )
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
