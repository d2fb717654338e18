/**
 * A condition on events: access rules permit a caller to read the row that the event is about, as it was before the
 * change or after it. The row itself may have changed again, so that its values are taken from the event.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './executor.ts'
import type { StatedCondition } from './read/filter.ts'
import type { RowReach } from './row-reach.ts'
import type { ColumnType, RowRules } from './row-rule.ts'
import { castType } from './row-state.ts'

/** The rows that events are about, and the callers: each of them has to have access. */
export interface ReachedRows {
  rows: { table: string; columns: ReadonlyMap<string, { column: string; type: ColumnType }> }
  reach: readonly RowReach[]
}

/** Makes a filter for rows that name an event, such as deliveries. */
export function reachedRow(reached: ReachedRows, dialect: Dialect): StatedCondition {
  const { rows, reach } = reached
  const patterns = reach.map((one) => one.pattern({ table: rows.table, operation: 'read' }))
  return {
    kind: 'stated',
    name: ['reached', rows.table, ...reach.map(({ rules }) => numberOf(rules)), ...patterns].join(' '),
    values: valuesOf(reached, dialect),
    // The text is kept, also for databases of the other kind.
    state: (naming, builder, value) => stated(reached, { naming, dialect: builder.dialect, value }),
  }
}

/** A number for each set of rules: callers under different rules may have equal patterns, but need different SQL. */
const numbers = new WeakMap<RowRules, number>()
let lastNumber = 0

function numberOf(rules: RowRules): number {
  const known = numbers.get(rules) ?? ++lastNumber
  numbers.set(rules, known)
  return known
}

/** @returns the condition with its values @param naming the alias of the table whose rows name an event */
export function isRowReached(reached: ReachedRows, naming: string, dialect: Dialect): RawBuilder<SqlBool> {
  const values = valuesOf(reached, dialect)
  return stated(reached, { naming, dialect, value: (index) => sql`${values[index]}` })
}

function valuesOf({ rows: { table }, reach }: ReachedRows, dialect: Dialect): string[] {
  return reach.flatMap((one) => one.valueNames(table).map((name) => String(one.value(name, dialect))))
}

interface Rendering {
  /** The alias of the table whose rows name an event. */
  naming: string
  dialect: Dialect
  /** Renders a value by its index in the list of all values. */
  value: (index: number) => RawBuilder<unknown>
}

function stated({ rows, reach }: ReachedRows, { naming, dialect, value }: Rendering): RawBuilder<SqlBool> {
  const { table, columns } = rows
  let before = 0
  const conditions = reach.map((one) => {
    const names = one.valueNames(table)
    const first = before
    before += names.length
    const condition = one.condition(table, 'read', {
      alias: 'stated',
      dialect,
      tenant: sql.ref(`${naming}.tenant_id`),
      placeholderOf: (name) => value(first + names.indexOf(name)),
    })
    return condition ?? sql<SqlBool>`1 = 1`
  })
  const needed = new Set(reach.flatMap((one) => [...one.columns(table)]))
  const used = [...columns].filter(([, { column }]) => needed.has(column))
  const states = [stateAfter(dialect), stateBefore(dialect)].map(({ member: stateOf, isStated }) => {
    const members = used.map(
      ([member, { column, type }]) =>
        sql`cast(${stateOf(member)} as ${castType(type, dialect)}) as ${sql.ref(column)}`,
    )
    return sql`select ${sql.join([sql`1 as stated`, ...members])} from event as changed
      where changed.tenant_id = ${sql.ref(`${naming}.tenant_id`)}
        and changed.id = ${sql.ref(`${naming}.event_id`)} and ${isStated}`
  })
  return sql<SqlBool>`exists (select 1 from (${sql.join(states, sql` union all `)}) as stated
    where ${sql.join(conditions, sql` and `)})`
}

/** The row before or after the change, by the members that the event has stored of it. */
interface Stated {
  /** @returns the value of a member, as text */
  member(name: string): RawBuilder<unknown>
  /** Whether the event has stored the row in this state: a row had no state before it was created. */
  isStated: RawBuilder<SqlBool>
}

function stateAfter(dialect: Dialect): Stated {
  return {
    member: (name) => memberOf('after', name, dialect),
    isStated: isObject('after', dialect),
  }
}

/**
 * An event of a change keeps only the former members that differ from those after it. A text that was too long to be
 * kept differs from the one after it.
 */
function stateBefore(dialect: Dialect): Stated {
  const member = (name: string) => sql`case
    when ${isIn('before', name, dialect)} then ${memberOf('before', name, dialect)}
    when ${isLong(name, dialect)} then null
    else ${memberOf('after', name, dialect)} end`
  return { member, isStated: isObject('before', dialect) }
}

type Part = 'before' | 'after'

function part(name: Part, dialect: Dialect): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`json_extract(changed.state, ${sql.lit(`$.${name}`)})`
    : sql`(cast(changed.state as jsonb) -> ${sql.lit(name)})`
}

function isObject(name: Part, dialect: Dialect): RawBuilder<SqlBool> {
  return dialect === 'sqlite'
    ? sql<SqlBool>`json_type(changed.state, ${sql.lit(`$.${name}`)}) = 'object'`
    : sql<SqlBool>`jsonb_typeof(${part(name, dialect)}) = 'object'`
}

/** Whether the state has the member, which may be null. */
function isIn(of: Part, member: string, dialect: Dialect): RawBuilder<SqlBool> {
  return dialect === 'sqlite'
    ? sql<SqlBool>`json_type(changed.state, ${sql.lit(`$.${of}."${member}"`)}) is not null`
    : sql<SqlBool>`(${part(of, dialect)} -> ${sql.lit(member)}) is not null`
}

function isLong(member: string, dialect: Dialect): RawBuilder<SqlBool> {
  return dialect === 'sqlite'
    ? sql<SqlBool>`exists (select 1 from json_each(changed.state, '$.long') as long where long.value = ${sql.lit(member)})`
    : sql<SqlBool>`(cast(changed.state as jsonb) -> 'long') @> to_jsonb(cast(${sql.lit(member)} as text))`
}

function memberOf(of: Part, member: string, dialect: Dialect): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`json_extract(changed.state, ${sql.lit(`$.${of}."${member}"`)})`
    : sql`(${part(of, dialect)} ->> ${sql.lit(member)})`
}
