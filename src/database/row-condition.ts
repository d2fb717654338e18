/**
 * Renders the condition of an access rule as SQL. What the rule asks of the caller alone has been decided before: what
 * remains asks for values of the row, and for rows that it refers to or that refer to it.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './executor.ts'
import { isListed } from './list-text.ts'
import { idsOfPage, type KeyPage } from './row-page.ts'
import type { Decided, DecidedCondition, Naming, ValueOf } from './row-rule.ts'

const tenantColumn = 'tenant_id'

export interface ConditionRendering {
  dialect: Dialect
  /** The tenant's id, or its placeholder. */
  tenant: unknown
  /** @returns the placeholder, or the value, of a value of the rule */
  placeholderOf: ValueOf
  /** Whether the statement finds one row by its id, so that no index is wanted for the rule. */
  isOfOne?: boolean
  /** The page that the statement returns, if the statement reads a page in the order of the ids. */
  page?: KeyPage | null
  /** How many conditions enclose this one: aliases of subqueries are numbered by it. */
  depth: number
}

export function rendered(
  decided: Decided,
  alias: string,
  rendering: ConditionRendering,
): RawBuilder<SqlBool> {
  if (typeof decided === 'boolean') return decided ? sql`1 = 1` : sql`1 = 0`
  const { tenant, placeholderOf } = rendering
  // The page has the first rows that meet the whole condition, not the first that meet a part of it.
  const ofPart = { ...rendering, page: null }
  const column = (name: string, of = alias) => sql.ref(`${of}.${name}`)
  switch (decided.kind) {
    case 'any':
    case 'all':
      return sql`(${sql.join(
        decided.parts.map((part) => rendered(part, alias, ofPart)),
        decided.kind === 'any' ? sql` or ` : sql` and `,
      )})`
    case 'value':
      return valueCondition(decided, alias, rendering)
    case 'membership': {
      const { table, userColumn, valueColumn } = decided.of
      const own = sql`${column(tenantColumn, 'm')} = ${tenant} and ${column(userColumn, 'm')} = ${placeholderOf(decided.name)}`
      return sql`${column(decided.column)} in (select ${column(valueColumn, 'm')} from ${sql.table(table)} as m where ${own})`
    }
    case 'referred': {
      const inner = `referred${rendering.depth}`
      const condition = rendered(decided.condition, inner, { ...ofPart, depth: rendering.depth + 1 })
      const found = sql`${column(tenantColumn, inner)} = ${tenant} and ${column('id', inner)} = ${column(decided.column)}`
      return sql`exists (select 1 from ${sql.table(decided.table)} as ${sql.id(inner)} where ${found} and ${condition})`
    }
    case 'named': {
      const inner = `naming${rendering.depth}`
      const condition = rendered(decided.condition, inner, { ...ofPart, depth: rendering.depth + 1 })
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

function valueCondition(
  { column: name, type, name: of, values }: Extract<DecidedCondition, { kind: 'value' }>,
  alias: string,
  { dialect, tenant, placeholderOf, isOfOne = false, page = null }: ConditionRendering,
): RawBuilder<SqlBool> {
  const column = sql.ref(`${alias}.${name}`)
  const value = placeholderOf(of)
  if (values === 'one') return sql`${column} = ${value}`
  if (dialect === 'sqlite')
    return isOfOne
      ? sql`${sql.raw(isListed)}(${value}, ${column})`
      : sql`${column} in (select value from json_each(${value}))`
  const list = sql`cast(${value} as ${sql.raw(`${type}[]`)})`
  const matches = sql<SqlBool>`${column} = any(${list})`
  if (page === null || values === 'many') return matches
  const ids = idsOfPage({ tenant, column: name, list, page })
  return sql`(${sql.ref(`${alias}.id`)} = any(${ids}) and ${matches})`
}
