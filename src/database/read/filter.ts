/** Conditions on rows. Each is true or false: a comparison with NULL is false, and its negation true. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import { foldFunction } from '../fold-text.ts'
import { withinTime } from '../scan.ts'
import { byNoIndex, type RangeRule } from './index-range.ts'
import type { FieldKind, ReadField, ReadModel, Relation, Value } from './read-model.ts'
import { joined, type SqlBuilder } from './sql-builder.ts'
import { memberValue } from './value.ts'
import type { StatementValues } from './values.ts'

export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'startsWith' | 'endsWith'

export type Filter =
  | { kind: 'and' | 'or'; parts: readonly Filter[] }
  | { kind: 'not'; part: Filter }
  /** `ignoresCase`: the value is case-folded text. */
  | { kind: 'compare'; field: ReadField; operator: ComparisonOperator; value: Value; ignoresCase?: boolean }
  | { kind: 'isNull'; field: ReadField }
  /** The values are not null. */
  | { kind: 'in'; field: ReadField; values: readonly Value[] }
  /** A condition on the related rows. */
  | { kind: 'related'; relation: Relation; quantifier: 'some' | 'all' | 'none'; filter: Filter }
  | StatedCondition

/**
 * A condition that code writes in SQL, for example exactly like the condition of a partial index. It names no member.
 * Conditions of the same name have the same SQL.
 */
export interface StatedCondition {
  kind: 'stated'
  name: string
  values: readonly Value[]
  state(
    alias: string,
    builder: SqlBuilder,
    value: (index: number) => RawBuilder<unknown>,
  ): RawBuilder<SqlBool>
}

export interface MatchingRows {
  entity: ReadModel
  filter: Filter
}

/** Matches every row. */
export const everything: Filter = { kind: 'and', parts: [] }

const textOperators: ReadonlySet<ComparisonOperator> = new Set(['contains', 'startsWith', 'endsWith'])

/**
 * The cost of testing a row: 1 for each condition, 5 for one that searches in text or folds it.
 * @param valuesPerUnit the number of list values that cost 1 more
 */
export function weightOf(filter: Filter, valuesPerUnit: number): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.reduce((sum, part) => sum + weightOf(part, valuesPerUnit), 0)
    case 'not':
      return weightOf(filter.part, valuesPerUnit)
    case 'related':
      return 1 + weightOf(filter.filter, valuesPerUnit)
    case 'in':
      return 1 + Math.ceil(filter.values.length / valuesPerUnit)
    case 'compare':
      return textOperators.has(filter.operator) || filter.ignoresCase === true ? 5 : 1
    default:
      return 1
  }
}

/** @param visit called with each member and each relation that the filter names */
export function eachNamed(filter: Filter, visit: (named: ReadField | Relation) => void): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.parts) eachNamed(part, visit)
      break
    case 'not':
      eachNamed(filter.part, visit)
      break
    case 'related':
      visit(filter.relation)
      eachNamed(filter.filter, visit)
      break
    case 'stated':
      break
    default:
      visit(filter.field)
  }
}

/**
 * Renders a filter as SQL.
 * @param alias of the table in the query
 * @param mayUseIndex decides whether SQLite may use an index for a range that every row of the result meets
 */
export function restriction(
  filter: Filter,
  alias: string,
  builder: SqlBuilder,
  mayUseIndex: RangeRule = byNoIndex,
): RawBuilder<SqlBool> {
  switch (filter.kind) {
    case 'and':
      return joined(filter.parts, 'and', (part) => restriction(part, alias, builder, mayUseIndex))
    case 'or':
      return joined(filter.parts, 'or', (part) => restriction(part, alias, builder))
    case 'not':
      // Partial indexes have this condition, so that they serve the filter.
      if (filter.part.kind === 'isNull')
        return sql`${memberValue(filter.part.field, alias, builder.dialect)} is not null`
      return sql`((${restriction(filter.part, alias, builder)}) is not true)`
    case 'compare':
      return comparison(
        filter,
        comparedText(filter, alias, builder.dialect),
        builder,
        filter.ignoresCase !== true && mayUseIndex(filter.field),
      )
    case 'isNull':
      return sql`${memberValue(filter.field, alias, builder.dialect)} is null`
    case 'in':
      return membership(filter, alias, builder)
    case 'related':
      return existence(filter, alias, builder)
    case 'stated':
      return filter.state(alias, builder, (index) => builder.parameter(filter, index))
  }
}

function comparedText(
  { field, ignoresCase }: Extract<Filter, { kind: 'compare' }>,
  alias: string,
  dialect: Dialect,
) {
  const value = memberValue(field, alias, dialect)
  if (ignoresCase !== true) return value
  return field.caseFoldedColumn === null
    ? sql`${sql.raw(foldFunction)}(${value})`
    : sql.ref(`${alias}.${field.caseFoldedColumn}`)
}

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function comparison(
  condition: Extract<Filter, { kind: 'compare' }>,
  column: RawBuilder<unknown>,
  builder: SqlBuilder,
  mayUseIndex: boolean,
) {
  const { operator, field } = condition
  const given = builder.parameter(condition)
  const isSqlite = builder.dialect === 'sqlite'
  switch (operator) {
    case 'contains':
      return isSqlite ? sql<SqlBool>`instr(${column}, ${given}) > 0` : containing(condition, column, given)
    case 'startsWith':
      if (!isSqlite) return sql<SqlBool>`starts_with(${column}, ${given})`
      return beginning(column, given, mayUseIndex)
    case 'endsWith':
      // The length is compared as well: a shorter text must not match by its beginning.
      return isSqlite
        ? sql<SqlBool>`substr(${column}, length(${column}) - length(${given}) + 1) = ${given} and length(${column}) >= length(${given})`
        : sql<SqlBool>`right(${column}, length(${given})) = ${given}`
    case 'eq':
      return sql<SqlBool>`${column} = ${given}`
    default: {
      // `+` keeps SQLite from using an index.
      const term = isSqlite && field.kind !== 'uuid' && !mayUseIndex ? sql`+${column}` : column
      return sql<SqlBool>`${term} ${sql.raw(signs[operator])} ${given}`
    }
  }
}

/** Renders `contains` on PostgreSQL, which can use a trigram index only for a column of case-folded text. */
function containing(
  { ignoresCase, field }: Extract<Filter, { kind: 'compare' }>,
  column: RawBuilder<unknown>,
  given: RawBuilder<unknown>,
) {
  return ignoresCase === true && field.caseFoldedColumn !== null
    ? sql<SqlBool>`${column} like ${escapedPattern(given)}`
    : sql<SqlBool>`strpos(${column}, ${given}) > 0`
}

/**
 * Renders `startsWith` on SQLite. An index serves it as a range that ends before the text followed by the byte FF,
 * which no character of UTF-8 has.
 * @param mayUseIndex if not, each row is tested
 */
function beginning(column: RawBuilder<unknown>, given: RawBuilder<unknown>, mayUseIndex: boolean) {
  const begins = sql<SqlBool>`instr(${column}, ${given}) = 1`
  if (!mayUseIndex) return begins
  const end = sql`${given} || cast(x'ff' as text)`
  return sql<SqlBool>`(${column} >= ${given} and ${column} < ${end} and ${begins})`
}

/** A trigram index serves LIKE, but not `strpos`. */
function escapedPattern(given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`'%' || regexp_replace(${given}, '([\\\\%_])', '\\\\\\1', 'g') || '%'`
}

const arrayTypes: Record<FieldKind, string> = {
  uuid: 'uuid[]',
  text: 'text[]',
  enum: 'text[]',
  decimal: 'numeric[]',
  integer: 'bigint[]',
  boolean: 'boolean[]',
  timestamp: 'timestamptz[]',
  date: 'date[]',
  json: 'text[]',
}

/** Renders `in` with one parameter for any number of values, so that one prepared statement serves them all. */
function membership(condition: Extract<Filter, { kind: 'in' }>, alias: string, builder: SqlBuilder) {
  const { field } = condition
  const column = memberValue(field, alias, builder.dialect)
  const given = builder.parameter(condition)
  return builder.dialect === 'sqlite'
    ? sql<SqlBool>`${column} in (select value from json_each(${given}))`
    : sql<SqlBool>`${column} = any(cast(${given} as ${sql.raw(arrayTypes[field.kind])}))`
}

function existence(
  { relation, quantifier, filter }: Extract<Filter, { kind: 'related' }>,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool> {
  const { query, alias: inner } = builder.related(relation, alias)
  const matches = restriction(filter, inner, builder)
  const wanted = quantifier === 'all' ? sql<SqlBool>`(${matches}) is not true` : matches
  // A row may have thousands of related rows.
  const found = query
    .select(sql`1`.as('found'))
    .where(withinTime(builder.dialect, `${inner}.tenant_id`, wanted))
  return quantifier === 'some' ? sql`exists ${found}` : sql`not exists ${found}`
}

/** Adds the values of a filter to those of the statement. @returns its shape: filters of one shape have the same SQL */
export function filterShape(filter: Filter, values: StatementValues): string {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      let parts = ''
      for (const part of filter.parts) parts += `${filterShape(part, values)},`
      return `${filter.kind}(${parts})`
    }
    case 'not':
      return `not(${filterShape(filter.part, values)})`
    case 'compare':
      values.add(filter, filter.value)
      return `${filter.field.name} ${filter.ignoresCase === true ? 'i' : ''}${filter.operator}`
    case 'isNull':
      return `${filter.field.name} null`
    case 'in':
      values.add(filter, filter.values)
      return `${filter.field.name} in`
    case 'related':
      return `${filter.relation.name} ${filter.quantifier}(${filterShape(filter.filter, values)})`
    case 'stated':
      values.add(filter, ...filter.values)
      return `stated ${filter.name}`
  }
}
