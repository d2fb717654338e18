/**
 * Renders the order of rows, and the condition that rows come after a position in it (keyset pagination). NULL sorts
 * before all values, on both databases.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadField, ReadModel, Relation, Value } from './read-model.ts'
import { joined, type SqlBuilder } from './sql-builder.ts'
import { memberValue } from './value.ts'
import type { StatementValues } from './values.ts'

/** One key of an order: a field of the row, or of a related row. */
export interface SortKey {
  path: readonly Relation[]
  field: ReadField
  descending: boolean
}

/** The values of a row's sort keys, in the order of the keys. */
export type KeysetPosition = readonly (Value | null)[]

/**
 * Appends the key of the entity, so that no two rows have the same position. It has the direction of the last key: an
 * index then returns the rows from either end, however many have equal values.
 */
export function totalOrder(entity: ReadModel, keys: readonly SortKey[]): SortKey[] {
  const distinct = new Map<string, SortKey>()
  for (const given of keys) {
    const key = byTime(entity, given)
    const path = pathOf(key)
    if (!distinct.has(path)) distinct.set(path, key)
  }
  const total = [...distinct.values()]
  const descending = total.at(-1)?.descending ?? entity.isNewestFirst ?? false
  for (const field of entity.key) {
    const isPresent = total.some((key) => key.path.length === 0 && key.field.column === field.column)
    if (!isPresent) total.push({ path: [], field, descending })
  }
  return total
}

/** Sorts by the id instead of the time of creation, where both give the same order: the id has an index. */
function byTime({ isKeyedByTime, time = 'createdAt', key: [key] }: ReadModel, given: SortKey): SortKey {
  const isTime = given.path.length === 0 && given.field.name === time
  return isTime && isKeyedByTime === true && key !== undefined ? { ...given, field: key } : given
}

export function reversed(keys: readonly SortKey[]): SortKey[] {
  return keys.map((key) => ({ ...key, descending: !key.descending }))
}

export function orderShape(keys: readonly SortKey[]): string {
  let shape = ''
  for (const key of keys) shape += `${pathOf(key)}${key.descending ? ' desc,' : ','}`
  return shape
}

/** The SQL of the value by which a key sorts. */
export function keyValue(key: SortKey, alias: string, builder: SqlBuilder): RawBuilder<unknown> {
  return valueAt(key.path, key.field, alias, builder)
}

/** The SQL of the terms of ORDER BY. */
export function orderBy(
  keys: readonly SortKey[],
  value: (key: SortKey, index: number) => RawBuilder<unknown>,
  builder: SqlBuilder,
) {
  const terms = keys.map((key, index) => {
    const direction = key.descending ? sql` desc` : sql``
    return sql`${sortable(key, value(key, index), builder)}${direction}${nullsOrder(key, builder)}`
  })
  return sql`${sql.join(terms)}`
}

/** The condition that a row comes after a position. Its SQL depends on which values of the position are NULL. */
export function keysetPredicate(
  keys: readonly SortKey[],
  position: KeysetPosition,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool> {
  const given = (index: number) => builder.parameter(position, index)
  if (hasOneDirection(keys)) return rowComparison(keys, given, alias, builder)
  const bound = leadingBound(keys, position)
  const start =
    bound === null
      ? null
      : sql<SqlBool>`${sortable(bound, keyValue(bound, alias, builder), builder)} ${sql.raw(bound.descending ? '<=' : '>=')} ${given(0)}`
  const branches = keys.map((_key, index) => index).filter((index) => canFollow(keys, position, index))
  const found = joined(branches, 'or', (last) => {
    const placeOf = (index: number) => ((position[index] ?? null) === null ? null : given(index))
    const equal = keys.slice(0, last).map((each, index) => equalsValue(each, placeOf(index), alias, builder))
    const key = keys[last] as SortKey // an index of the list
    return joined([...equal, afterValue(key, placeOf(last), alias, builder)], 'and', (each) => each)
  })
  return start === null ? found : sql<SqlBool>`(${start} and ${found})`
}

/** Whether an index on the keys can return the rows in this order. */
export function hasOneDirection(keys: readonly SortKey[]): boolean {
  return keys.every((key) => !canBeNull(key) && key.descending === keys[0]?.descending)
}

/** One comparison of all keys: an index starts at the position, however many rows share its first value. */
function rowComparison(
  keys: readonly SortKey[],
  placeOf: (index: number) => RawBuilder<unknown>,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool> {
  const there = keys.map((key) => sortable(key, keyValue(key, alias, builder), builder))
  const given = keys.map((_key, index) => placeOf(index))
  return sql`(${sql.join(there)}) ${sql.raw(keys[0]?.descending ? '<' : '>')} (${sql.join(given)})`
}

/** The first key, if its value bounds the rows in an index: planners do not derive that bound from the OR below. */
function leadingBound(keys: readonly SortKey[], position: KeysetPosition): SortKey | null {
  const [key] = keys
  if (key === undefined || keys.length === 1 || key.path.length > 0) return null
  const isRange = (position[0] ?? null) !== null && !(key.descending && canBeNull(key))
  return isRange ? key : null
}

/**
 * Adds the values of a position to those of the statement.
 * @returns its shape: positions of one shape have the same SQL
 */
export function keysetShape(
  keys: readonly SortKey[],
  position: KeysetPosition,
  values: StatementValues,
): string {
  values.add(position, ...position)
  if (hasOneDirection(keys)) return 'row'
  return position.map((value) => (value === null ? 'null' : 'value')).join()
}

function pathOf({ path, field }: SortKey): string {
  let text = ''
  for (const { name } of path) text += `${name}.`
  return text + field.name
}

function valueAt(
  path: readonly Relation[],
  field: ReadField,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<unknown> {
  const [relation, ...rest] = path
  if (relation === undefined) return memberValue(field, alias, builder.dialect)
  const { query, alias: inner } = builder.related(relation, alias)
  return sql`${query.select(valueAt(rest, field, inner, builder).as('value'))}`
}

/** Text sorts by its bytes, whatever the collation of the database. */
function sortable({ field }: SortKey, value: RawBuilder<unknown>, builder: SqlBuilder): RawBuilder<unknown> {
  const isText = field.kind === 'text' || field.kind === 'enum'
  return isText && builder.dialect === 'postgres' ? sql`${value} collate "C"` : value
}

/** SQLite sorts NULL first by default. PostgreSQL uses no index for such a clause on a column without NULLs. */
function nullsOrder(key: SortKey, { dialect }: SqlBuilder): RawBuilder<unknown> {
  if (dialect === 'sqlite' || !canBeNull(key)) return sql``
  return key.descending ? sql` nulls last` : sql` nulls first`
}

function canBeNull({ path, field }: SortKey): boolean {
  return field.isNullable || path.length > 0
}

/** Whether any value can follow that of the position: in descending order nothing follows NULL. */
function canFollow(keys: readonly SortKey[], position: KeysetPosition, index: number): boolean {
  return !(keys[index]?.descending === true && (position[index] ?? null) === null)
}

function equalsValue(
  key: SortKey,
  value: RawBuilder<unknown> | null,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool> {
  const there = keyValue(key, alias, builder)
  return value === null ? sql`${there} is null` : sql`${there} = ${value}`
}

function afterValue(
  key: SortKey,
  value: RawBuilder<unknown> | null,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool> {
  const there = sortable(key, keyValue(key, alias, builder), builder)
  if (value === null) return sql`${there} is not null`
  if (!key.descending) return sql`${there} > ${value}`
  const smaller = sql<SqlBool>`${there} < ${value}`
  return canBeNull(key) ? sql`(${smaller} or ${keyValue(key, alias, builder)} is null)` : smaller
}
