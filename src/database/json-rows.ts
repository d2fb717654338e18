/** Rows as one JSON parameter, so that one prepared statement takes any number of rows. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './executor.ts'

const columnTypes = {
  key: 'text COLLATE "C"',
  text: 'text',
  id: 'uuid',
  timestamp: 'timestamptz',
  integer: 'bigint',
  boolean: 'boolean',
} as const

export type JsonColumns = Record<string, keyof typeof columnTypes>

/** The names of the columns, in the order in which `selectAll` returns them. */
export function namesOf<C extends JsonColumns>(columns: C): (keyof C & string)[] {
  return Object.keys(columns) // of an object literal, which has no other members
}

/**
 * The table `given` of the objects in a JSON list, to select, join or update from. On PostgreSQL its text cannot
 * contain null characters or lone surrogates.
 * @param json the placeholder of the list's text
 * @param columns the members that are read, with their types
 */
export function jsonRows<Row>(dialect: Dialect, json: string, columns: JsonColumns) {
  return (dialect === 'sqlite' ? onSqlite<Row>(json, columns) : onPostgres<Row>(json, columns)).as('given')
}

/**
 * A condition: an indexed column has the value of a row of `jsonRows`. PostgreSQL may read the whole table for a plain
 * equality if its statistics say that the table is small; it looks up a membership in an array row by row.
 * @param column of the table @param value of the row
 */
export function equalByIndex(dialect: Dialect, column: string, value: string): RawBuilder<SqlBool> {
  const [left, right] = [sql.ref(column), sql.ref(value)]
  return dialect === 'postgres'
    ? sql<SqlBool>`${left} = any(array[${right}])`
    : sql<SqlBool>`${left} = ${right}`
}

/** The primary key of a row of a tenant. */
export interface RowKey {
  tenantId: string
  id: string
}

/** The columns of a `RowKey`. */
export const rowKeyColumns = { tenantId: 'key', id: 'id' } as const satisfies JsonColumns

/** The table `given` of the primary keys in a JSON list. */
export function keyRows(dialect: Dialect, json: string) {
  return jsonRows<RowKey>(dialect, json, rowKeyColumns)
}

/** The JSON list of primary keys, without other members. */
export function jsonOfKeys(rows: readonly RowKey[]): string {
  return JSON.stringify(rows.map(({ tenantId, id }) => ({ tenantId, id })))
}

/** Whether the row of the table has the key of the row `given`. */
export function isGivenRow(dialect: Dialect, table: string): RawBuilder<SqlBool> {
  const isOfTenant = equalByIndex(dialect, `${table}.tenant_id`, 'given.tenantId')
  return sql<SqlBool>`(${isOfTenant} and ${equalByIndex(dialect, `${table}.id`, 'given.id')})`
}

/** The JSON list of ids, each in the member `id`. */
export function jsonOfIds(ids: readonly string[]): string {
  return JSON.stringify(ids.map((id) => ({ id })))
}

/** Whether a column of the JSON rows has the value of the column of the table; in place of `IN`. */
export function inJsonRows<Name extends string>(
  dialect: Dialect,
  column: string,
  { json, name, type }: { json: string; name: Name; type: JsonColumns[string] },
): RawBuilder<SqlBool> {
  const rows = jsonRows<Record<Name, string>>(dialect, json, { [name]: type })
  const values = sql`(select ${sql.ref(name)} from ${rows})`
  return dialect === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any(array${values})`
    : sql<SqlBool>`${sql.ref(column)} in ${values}`
}

function onSqlite<Row>(json: string, columns: JsonColumns) {
  const members = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql<Row>`(select ${sql.join(members)} from json_each(${json}))`
}

function onPostgres<Row>(json: string, columns: JsonColumns) {
  const members = Object.entries(columns).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(columnTypes[type].replace(' COLLATE "C"', ''))}`,
  )
  const values = Object.entries(columns).map(([name, type]) =>
    type === 'key' ? sql`${sql.ref(name)} collate "C" as ${sql.ref(name)}` : sql.ref(name),
  )
  return sql<Row>`(select ${sql.join(values)} from json_to_recordset(cast(${json} as json)) as given(${sql.join(members)}))`
}
