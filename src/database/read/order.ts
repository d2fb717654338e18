/** The order of rows, and what is behind a place in it. A NULL is smaller than everything else, on both databases. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Entity, EntityField, Relation } from './entity.ts'
import { joined, type SqlBuilder } from './sql-builder.ts'
import type { Parameter, Value } from './value.ts'

/** One key of an order: a field, of the row itself or of the one that relations lead to. */
export interface SortKey {
  path: readonly Relation[]
  field: EntityField
  descending: boolean
}

/** Values of the keys of a row, in their order. */
export type Place = readonly (Value | null)[]

/** With the key of the rows at the end, so that no two rows have the same place. */
export function totalOrder(entity: Entity, keys: readonly SortKey[]): SortKey[] {
  const distinct = new Map<string, SortKey>()
  for (const key of keys) {
    const path = pathOf(key)
    if (!distinct.has(path)) distinct.set(path, key)
  }
  const total = [...distinct.values()]
  for (const field of entity.key) {
    const tenantExists = keys.some((key) => key.path.length === 0 && key.field.column === field.column)
    if (!tenantExists) total.push({ path: [], field, descending: false })
  }
  return total
}

export function reversed(keys: readonly SortKey[]): SortKey[] {
  return keys.map((key) => ({ ...key, descending: !key.descending }))
}

export function orderShape(keys: readonly SortKey[]): string {
  let shape = ''
  for (const key of keys) shape += `${pathOf(key)}${key.descending ? ' desc,' : ','}`
  return shape
}

/** The value that a key sorts by. */
export function keyValue(key: SortKey, alias: string, builder: SqlBuilder): RawBuilder<unknown> {
  return valueAt(key.path, key.field, alias, builder)
}

/** What stands behind ORDER BY. */
export function orderBy(
  keys: readonly SortKey[],
  value: (key: SortKey, index: number) => RawBuilder<unknown>,
  builder: SqlBuilder,
) {
  const terms = keys.map((key, index) => {
    const direction = key.descending ? sql` desc` : sql``
    return sql`${sortable(key, value(key, index), builder)}${direction}${placeOfNull(key, builder)}`
  })
  return sql`${sql.join(terms)}`
}

/** Rows behind a place. A value of the place that is NULL takes no parameter: its shape says so. */
export function behind(
  keys: readonly SortKey[],
  place: Place,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool> {
  if (isOneWay(keys)) return behindOneWay(keys, alias, builder)
  const bound = boundOf(keys, place)
  const start =
    bound === null
      ? null
      : sql<SqlBool>`${sortable(bound, keyValue(bound, alias, builder), builder)} ${sql.raw(bound.descending ? '<=' : '>=')} ${builder.place()}`
  const branches = keys.map((_key, index) => index).filter((index) => canBeBehind(keys, place, index))
  const found = joined(branches, 'or', (last) => {
    const equal = keys.slice(0, last).map((each, index) => sameAs(each, place[index] ?? null, alias, builder))
    const key = keys[last] as SortKey // an index of the list
    return joined([...equal, past(key, place[last] ?? null, alias, builder)], 'and', (each) => each)
  })
  return start === null ? found : sql<SqlBool>`(${start} and ${found})`
}

/** Whether an index on the keys has the rows in this order. */
export function isOneWay(keys: readonly SortKey[]): boolean {
  return keys.every((key) => !canBeNull(key) && key.descending === keys[0]?.descending)
}

/** One comparison of all keys: an index begins at the place itself, however many rows have the same first value. */
function behindOneWay(keys: readonly SortKey[], alias: string, builder: SqlBuilder): RawBuilder<SqlBool> {
  const there = keys.map((key) => sortable(key, keyValue(key, alias, builder), builder))
  const given = keys.map(() => builder.place())
  return sql`(${sql.join(there)}) ${sql.raw(keys[0]?.descending ? '<' : '>')} (${sql.join(given)})`
}

/** The first key, where what is behind the place begins at its value in an index: branches alone do not tell a planner. */
function boundOf(keys: readonly SortKey[], place: Place): SortKey | null {
  const [key] = keys
  if (key === undefined || keys.length === 1 || key.path.length > 0) return null
  const isRange = (place[0] ?? null) !== null && !(key.descending && canBeNull(key))
  return isRange ? key : null
}

/** The values of `behind` in the order of their places. */
export function placeShape(keys: readonly SortKey[], place: Place, values: Parameter[]): string {
  if (isOneWay(keys)) {
    values.push(...place)
    return 'row'
  }
  if (boundOf(keys, place) !== null) values.push(place[0] ?? null)
  for (const [last] of keys.entries()) {
    if (!canBeBehind(keys, place, last)) continue
    for (let index = 0; index <= last; index++) {
      const value = place[index] ?? null
      if (value !== null) values.push(value)
    }
  }
  return place.map((value) => (value === null ? 'null' : 'value')).join()
}

function pathOf({ path, field }: SortKey): string {
  let text = ''
  for (const { name } of path) text += `${name}.`
  return text + field.name
}

function valueAt(
  path: readonly Relation[],
  field: EntityField,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<unknown> {
  const [relation, ...rest] = path
  if (relation === undefined) return sql.ref(`${alias}.${field.column}`)
  const { query, alias: inner } = builder.related(relation, alias)
  return sql`${query.select(valueAt(rest, field, inner, builder).as('value'))}`
}

/** Text sorts by its bytes, whatever the database was created with. */
function sortable({ field }: SortKey, value: RawBuilder<unknown>, builder: SqlBuilder): RawBuilder<unknown> {
  const isText = field.kind === 'text' || field.kind === 'enum'
  return isText && builder.dialect === 'postgres' ? sql`${value} collate "C"` : value
}

/** SQLite places it so by itself; said of a column without NULLs, PostgreSQL would not use its index. */
function placeOfNull(key: SortKey, { dialect }: SqlBuilder): RawBuilder<unknown> {
  if (dialect === 'sqlite' || !canBeNull(key)) return sql``
  return key.descending ? sql` nulls last` : sql` nulls first`
}

function canBeNull({ path, field }: SortKey): boolean {
  return field.isNullable || path.length > 0
}

/** Nothing is smaller than NULL. */
function canBeBehind(keys: readonly SortKey[], place: Place, index: number): boolean {
  return !(keys[index]?.descending === true && (place[index] ?? null) === null)
}

function sameAs(key: SortKey, value: Value | null, alias: string, builder: SqlBuilder): RawBuilder<SqlBool> {
  const there = keyValue(key, alias, builder)
  return value === null ? sql`${there} is null` : sql`${there} = ${builder.place()}`
}

function past(key: SortKey, value: Value | null, alias: string, builder: SqlBuilder): RawBuilder<SqlBool> {
  const there = sortable(key, keyValue(key, alias, builder), builder)
  if (value === null) return sql`${there} is not null`
  if (!key.descending) return sql`${there} > ${builder.place()}`
  const smaller = sql<SqlBool>`${there} < ${builder.place()}`
  return canBeNull(key) ? sql`(${smaller} or ${keyValue(key, alias, builder)} is null)` : smaller
}
