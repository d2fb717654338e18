/**
 * Asks the database whether access rules permit a caller to read rows that may not be stored any more, such as deleted
 * ones: their known values are given ("stated") in the statement.
 */
import { Kysely, type RawBuilder, sql } from 'kysely'
import type { TenantData } from './data.ts'
import { dialectFor } from './dialect.ts'
import type { Dialect, Executor } from './executor.ts'
import type { RowReach } from './row-reach.ts'
import type { ColumnType } from './row-rule.ts'

/** The value of a column that an access rule reads, as text, with its type. */
export interface StatedColumn {
  type: ColumnType
  value: string | null
}
export type StatedRow = ReadonlyMap<string, StatedColumn>

const alias = 'stated'

/**
 * Asks for all rows in one statement.
 * @param rows at most a few hundred, all with the same columns
 * @returns whether the caller reads each of them
 */
export async function readsStated(
  { executor, tenantId }: TenantData,
  reach: RowReach,
  { table, rows }: { table: string; rows: readonly StatedRow[] },
): Promise<boolean[]> {
  const { dialect } = executor
  const condition = reach.condition(table, 'read', {
    alias,
    dialect,
    tenant: tenantId,
    placeholderOf: (name) => reach.value(name, dialect),
  })
  return condition === null ? rows.map(() => true) : statedWhere(executor, rows, condition)
}

/**
 * Tells which rows refer to a row that was deleted and on which the rule depends: the caller may have had access by it.
 * @param rows as for `readsStated`
 */
export async function refersToGone(
  { executor, tenantId }: TenantData,
  reach: RowReach,
  { table, rows }: { table: string; rows: readonly StatedRow[] },
): Promise<boolean[]> {
  const references = reach.references(table)
  if (references.length === 0) return rows.map(() => false)
  const conditions = references.map(({ column, table: referred }) => {
    const own = sql.ref(`${alias}.${column}`)
    const found = sql`${sql.ref('there.tenant_id')} = ${tenantId} and ${sql.ref('there.id')} = ${own}`
    return sql`(${own} is not null and not exists (select 1 from ${sql.table(referred)} as there where ${found}))`
  })
  return statedWhere(executor, rows, sql`${sql.join(conditions, sql` or `)}`)
}

/** @returns whether each row meets the condition */
async function statedWhere(
  executor: Executor,
  rows: readonly StatedRow[],
  condition: RawBuilder<unknown>,
): Promise<boolean[]> {
  if (rows.length === 0) return []
  const stated = rows.map((row, place) => sql`select ${sql.join(columnsOf(row, place, executor.dialect))}`)
  const query = sql<{ place: number }>`select ${sql.ref(`${alias}.place`)} as place
    from (${sql.join(stated, sql` union all `)}) as ${sql.id(alias)} where ${condition}`
  const compiled = query.compile(new Kysely({ dialect: dialectFor(executor) }))
  const { rows: found } = await executor.run(compiled.sql, compiled.parameters, false)
  const places = new Set(found.map((row) => Number((row as { place: unknown }).place))) // the statement selects `place`
  return rows.map((_row, place) => places.has(place))
}

function columnsOf(row: StatedRow, place: number, dialect: Dialect): RawBuilder<unknown>[] {
  const columns = [...row].map(
    ([name, { type, value }]) => sql`cast(${value} as ${castType(type, dialect)}) as ${sql.id(name)}`,
  )
  return [sql`cast(${place} as integer) as place`, ...columns]
}

/** SQLite stores ids as texts; there a cast to an unknown type, such as `uuid`, would convert to a number. */
export function castType(type: ColumnType, dialect: Dialect): RawBuilder<unknown> {
  return sql.raw(dialect === 'sqlite' ? 'text' : type)
}
