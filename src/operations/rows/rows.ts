/** Reads and writes the rows of one tenant in any table, by the shape of the table. */
import type { Executor, Row } from '../../database/executor.ts'
import { KeyProgress } from '../../database/key-progress.ts'
import { tenantColumn } from '../../database/scope.ts'
import { placeholders, quote } from '../../database/sql-text.ts'
import type { TableShape } from './shape.ts'

/** The values of `shape.key`. */
export type Key = readonly unknown[]

export function keyOf(shape: TableShape, row: Row): Key {
  return shape.key.map((column) => row[column])
}

/** Reads a page in the order of the key. @param after the last key of the page before, or `null` @param where a trusted condition */
export async function readPage(
  executor: Executor,
  shape: TableShape,
  tenant: string,
  { after, limit, where = 'true' }: { after: Key | null; limit: number; where?: string },
): Promise<Row[]> {
  const placeholder = placeholders(executor.dialect)
  const keyset =
    after === null || after.length === 0
      ? ''
      : ` AND ${keysetPredicate(shape, '>', after.length, placeholder)}`
  const order = shape.key.length === 0 ? '' : ` ORDER BY ${list(shape.key)}`
  const sql = `SELECT ${list(shape.columns)} FROM ${quote(shape.name)} WHERE ${quote(tenantColumn)} = ${placeholder(1)} AND ${where}${keyset}${order} LIMIT ${limit}`
  return (await executor.run(sql, [tenant, ...(after ?? [])], true)).rows
}

const pageSize = 500

/** Yields all rows by page, in the order of the key. The last page may be empty. */
export async function* pages(
  executor: Executor,
  shape: TableShape,
  tenant: string,
  where = 'true',
): AsyncGenerator<Row[]> {
  const progress = new KeyProgress()
  for (let after: Key | null = null; ; ) {
    const page: Row[] = await readPage(executor, shape, tenant, { after, limit: pageSize, where })
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize || shape.key.length === 0) return
    after = keyOf(shape, last)
    progress.advance(JSON.stringify(after))
  }
}

/** @param upTo leaves out rows after this key */
export async function readRows(
  executor: Executor,
  shape: TableShape,
  tenant: string,
  keys: readonly Key[],
  upTo: Key | null = null,
): Promise<Row[]> {
  if (keys.length === 0) return []
  const placeholder = placeholders(executor.dialect)
  const table = quote(shape.name)
  const bound = upTo ?? []
  if (executor.dialect === 'sqlite') {
    const range = bound.length === 0 ? '' : ` AND ${keysetPredicate(shape, '<=', bound.length, placeholder)}`
    const sql = `SELECT ${list(shape.columns)} FROM ${table} WHERE ${rowPredicate(shape)}${range}`
    const rows: Row[] = []
    for (const key of keys) rows.push(...(await executor.run(sql, [...key, tenant, ...bound], true)).rows)
    return rows
  }
  const range =
    bound.length === 0
      ? ''
      : ` AND (${list(shape.key)}) <= (${bound.map((_, index) => placeholder(index + 3))})`
  const sql = `SELECT t.* FROM ${givenRows(shape.name)} ${lateralRows(shape, list(shape.columns), range)}`
  return (await executor.run(sql, [jsonOf(objectsOf(shape, keys)), tenant, ...bound], false)).rows
}

/**
 * Some primary keys do not begin with the tenant.
 * @returns rows of any tenant that have the primary key of a given row
 */
export async function findConflictingRows(
  executor: Executor,
  { name, columns, primary }: TableShape,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  const table = quote(name)
  const names = list(columns)
  if (executor.dialect === 'sqlite') {
    const sql = `SELECT ${names} FROM ${table} WHERE ${primary.map((column) => `${quote(column)} = ?`).join(' AND ')}`
    const found: Row[] = []
    for (const row of rows) {
      const key = primary.map((column) => row[column])
      found.push(...(await executor.run(sql, key, true)).rows)
    }
    return found
  }
  const key = list(primary)
  const sql = `SELECT ${names} FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${givenRows(name)})`
  const keys = rows.map((row) => Object.fromEntries(primary.map((column) => [column, row[column]])))
  return (await executor.run(sql, [JSON.stringify(keys)], false)).rows
}

/** Inserts or overwrites, so that a repetition changes nothing. @param columns the columns to set */
export async function writeRows(
  executor: Executor,
  shape: TableShape,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const others = columns.filter((column) => !shape.primary.includes(column))
  const set = others.map((column) => `${quote(column)} = excluded.${quote(column)}`)
  const conflict = `ON CONFLICT (${list(shape.primary)}) DO ${set.length === 0 ? 'NOTHING' : `UPDATE SET ${set}`}`
  const into = `INSERT INTO ${quote(shape.name)} (${list(columns)})`
  if (executor.dialect === 'sqlite') {
    const sql = `${into} VALUES (${columns.map(() => '?')}) ${conflict}`
    for (const row of rows)
      await executor.run(
        sql,
        columns.map((column) => row[column]),
        true,
      )
    return
  }
  const sql = `${into} SELECT ${list(columns)} FROM ${givenRows(shape.name)} ${conflict}`
  await executor.run(sql, [jsonOf(rows)], false)
}

export async function deleteRows(
  executor: Executor,
  shape: TableShape,
  tenant: string,
  keys: readonly Key[],
): Promise<void> {
  if (keys.length === 0) return
  const table = quote(shape.name)
  if (executor.dialect === 'sqlite') {
    for (const key of keys)
      await executor.run(`DELETE FROM ${table} WHERE ${rowPredicate(shape)}`, [...key, tenant], true)
    return
  }
  const found = `SELECT t.ctid FROM ${givenRows(shape.name)} ${lateralRows(shape, 'ctid')}`
  const sql = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${found}))`
  await executor.run(sql, [jsonOf(objectsOf(shape, keys)), tenant], false)
}

/** Deletes rows in one statement. @param where a trusted condition */
export async function deleteRowsOf(
  executor: Executor,
  shape: TableShape,
  tenant: string,
  where = 'true',
): Promise<void> {
  const sql = `DELETE FROM ${quote(shape.name)} WHERE ${quote(tenantColumn)} = ${placeholders(executor.dialect)(1)} AND ${where}`
  await executor.run(sql, [tenant], false)
}

export async function countRows(executor: Executor, shape: TableShape, tenant: string): Promise<number> {
  const sql = `SELECT count(*) AS number FROM ${quote(shape.name)} WHERE ${quote(tenantColumn)} = ${placeholders(executor.dialect)(1)}`
  return Number((await executor.run(sql, [tenant], true)).rows[0]?.['number'])
}

export async function hasRows(executor: Executor, shape: TableShape, tenant: string): Promise<boolean> {
  return (await readPage(executor, shape, tenant, { after: null, limit: 1 })).length > 0
}

/** Whether another tenant has rows in the table. */
export async function hasOthers(executor: Executor, shape: TableShape, tenant: string): Promise<boolean> {
  const column = quote(tenantColumn)
  const placeholder = placeholders(executor.dialect)
  const sql = `SELECT 1 FROM ${quote(shape.name)} WHERE ${column} < ${placeholder(1)} OR ${column} > ${placeholder(1)} LIMIT 1`
  const parameters = executor.dialect === 'sqlite' ? [tenant, tenant] : [tenant]
  return (await executor.run(sql, parameters, true)).rows.length > 0
}

function list(columns: readonly string[]): string {
  return columns.map(quote).join(', ')
}

/** The condition for one row. Its parameters are the values of the key, then the tenant. */
function rowPredicate({ key }: TableShape): string {
  return [...key, tenantColumn].map((column) => `${quote(column)} = ?`).join(' AND ')
}

/** The condition for rows before or after a key. Its parameters are the values of the key, from `$2` on. */
function keysetPredicate(
  { key }: TableShape,
  comparison: string,
  length: number,
  placeholder: (position: number) => string,
): string {
  const marks = Array.from({ length }, (_, index) => placeholder(index + 2))
  return `(${list(key)}) ${comparison} (${marks.join(', ')})`
}

/** A table of the rows in the parameter `$1`, as JSON, which PostgreSQL converts to the types of the named table. */
function givenRows(name: string): string {
  return `json_populate_recordset(CAST(NULL AS ${quote(name)}), CAST($1 AS json)) AS g`
}

/** Joins the given keys with their rows. OFFSET keeps PostgreSQL from a plan that reads all rows of the tenant. */
function lateralRows({ name, key }: TableShape, columns: string, further = ''): string {
  const matching = key.map((column) => ` AND ${quote(column)} = g.${quote(column)}`).join('')
  return `CROSS JOIN LATERAL (SELECT ${columns} FROM ${quote(name)}
    WHERE ${quote(tenantColumn)} = $2${matching}${further} OFFSET 0) AS t`
}

function objectsOf({ key }: TableShape, keys: readonly Key[]): Row[] {
  return keys.map((values) => Object.fromEntries(key.map((column, index) => [column, values[index]])))
}

function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map((row) => mapBytes(row)))
}

/** `\x…` is how PostgreSQL reads bytes. JSON.stringify would make an object of them. */
function mapBytes(row: Row): Row {
  const bytes = Object.entries(row).filter(([, value]) => value instanceof Uint8Array)
  if (bytes.length === 0) return row
  const texts = bytes.map(([name, value]) => [name, `\\x${Buffer.from(value as Uint8Array).toString('hex')}`]) // filtered above
  return { ...row, ...Object.fromEntries(texts) }
}
