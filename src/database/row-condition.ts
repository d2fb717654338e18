/** The SQL of a condition on rows of which everything is decided that the caller decides. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './executor.ts'
import { isListed } from './list-text.ts'
import type { Decided, Naming, ValueOf } from './row-rule.ts'

const tenantColumn = 'tenant_id'

export interface ConditionRendering {
  dialect: Dialect
  /** The tenant's id, or its placeholder. */
  tenant: unknown
  placeholderOf: ValueOf
  /** Whether the statement finds one row by its id, so that no index is wanted for the rule. */
  isOfOne?: boolean
  /** Whether the statement returns a limited number of rows. */
  isPage?: boolean
  depth: number
}

export function rendered(
  decided: Decided,
  alias: string,
  rendering: ConditionRendering,
): RawBuilder<SqlBool> {
  if (typeof decided === 'boolean') return decided ? sql`1 = 1` : sql`1 = 0`
  const { dialect, tenant, placeholderOf, isOfOne = false, isPage = false } = rendering
  const column = (name: string, of = alias) => sql.ref(`${of}.${name}`)
  switch (decided.kind) {
    case 'any':
    case 'all':
      return sql`(${sql.join(
        decided.parts.map((part) => rendered(part, alias, rendering)),
        decided.kind === 'any' ? sql` or ` : sql` and `,
      )})`
    case 'value': {
      const value = placeholderOf(decided.name)
      if (decided.isOne) return sql`${column(decided.column)} = ${value}`
      if (dialect === 'postgres') {
        const list = sql`cast(${value} as ${sql.raw(`${decided.type}[]`)})`
        const matches = sql<SqlBool>`${column(decided.column)} = any(${list})`
        return isPage ? sql`(${matches} and ${plannedFor(list)})` : matches
      }
      return isOfOne
        ? sql`${sql.raw(isListed)}(${value}, ${column(decided.column)})`
        : sql`${column(decided.column)} in (select value from json_each(${value}))`
    }
    case 'membership': {
      const { table, userColumn, valueColumn } = decided.of
      const own = sql`${column(tenantColumn, 'm')} = ${tenant} and ${column(userColumn, 'm')} = ${placeholderOf(decided.name)}`
      return sql`${column(decided.column)} in (select ${column(valueColumn, 'm')} from ${sql.table(table)} as m where ${own})`
    }
    case 'referred': {
      const inner = `referred${rendering.depth}`
      const condition = rendered(decided.condition, inner, { ...rendering, depth: rendering.depth + 1 })
      const found = sql`${column(tenantColumn, inner)} = ${tenant} and ${column('id', inner)} = ${column(decided.column)}`
      return sql`exists (select 1 from ${sql.table(decided.table)} as ${sql.id(inner)} where ${found} and ${condition})`
    }
    case 'named': {
      const inner = `naming${rendering.depth}`
      const condition = rendered(decided.condition, inner, { ...rendering, depth: rendering.depth + 1 })
      return sql`exists (${naming(decided.by, inner)} and ${condition})`
    }
    case 'unnamed':
      return sql`(${sql.join(
        decided.by.map((by) => sql`not exists (${naming(by, `naming${rendering.depth}`)})`),
        sql` and `,
      )})`
  }

  function naming({ table, column: named }: Naming, inner: string) {
    const found = sql`${column(tenantColumn, inner)} = ${tenant} and ${column(named, inner)} = ${column('id')}`
    return sql`select 1 from ${sql.table(table)} as ${sql.id(inner)} where ${found}`
  }
}

/**
 * Always true, on PostgreSQL. A plan for any list expects ten values of average frequency, and walks a whole table to fill a
 * page from few rows. The second part makes such a plan dear; in a plan for this list it is decided beforehand.
 */
function plannedFor(list: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`(${list} is not null or (select count(*) from generate_series(1, 1000000)) < 0)`
}
