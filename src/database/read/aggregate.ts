/** Counts rows, adds up their numbers, and finds their least and greatest values, for all rows or for each group. */
import { type RawBuilder, sql } from 'kysely'
import type { TenantData } from '../data.ts'
import type { Dialect } from '../executor.ts'
import { type JsonMember, jsonText } from '../json-object.ts'
import { scanAll } from '../scan.ts'
import {
  averageOrder,
  averageText,
  decimalsOf,
  decimalText,
  sumOrder,
  sumText,
  unitsOf,
} from './exact-sum.ts'
import { type Filter, filterShape } from './filter.ts'
import { visitingAll } from './indexed.ts'
import { unlimited } from './measure.ts'
import type { FieldKind, ReadField, ReadModel } from './read-model.ts'
import type { SqlBuilder } from './sql-builder.ts'
import { statementOf } from './statement.ts'
import { memberValue } from './value.ts'
import { StatementValues } from './values.ts'

export const aggregateFunctions = ['sum', 'avg', 'min', 'max'] as const
export type AggregateFunction = (typeof aggregateFunctions)[number]

export interface Aggregated {
  of: AggregateFunction
  field: ReadField
}

/** The order of groups: by the number of rows, by a field of the grouping, or by a value of each group. */
export type GroupOrder = { descending: boolean } & (
  | { of: 'count' }
  | { of: 'key'; field: ReadField }
  | Aggregated
)

export interface GroupsRequest {
  entity: ReadModel
  filter: Filter
  /** The fields of the grouping. Without any, all rows are one group, which may be empty. */
  groupBy: readonly ReadField[]
  values: readonly Aggregated[]
  /** Groups that are otherwise equal are in the order of their keys. */
  order: readonly GroupOrder[]
  limit: number
}

export interface Group {
  count: number
  /** JSON texts in the order of `groupBy`. */
  keys: string[]
  /** JSON texts in the order of `values`. */
  values: string[]
}

const numeric: ReadonlySet<FieldKind> = new Set(['decimal', 'integer'])
const comparable: ReadonlySet<FieldKind> = new Set(['decimal', 'integer', 'date', 'timestamp'])

export function canAggregate(of: AggregateFunction, { kind }: ReadField): boolean {
  return of === 'sum' || of === 'avg' ? numeric.has(kind) : comparable.has(kind)
}

/**
 * The maximum bytes of a text of 250 characters as JSON. Longer values are refused, because each group repeats its
 * keys.
 */
const maxKeyBytes = 1502

export function canGroupBy({ kind, maxBytes }: ReadField): boolean {
  return kind !== 'json' && maxBytes <= maxKeyBytes
}

export async function readGroups(
  data: TenantData,
  request: GroupsRequest,
  { time } = unlimited,
): Promise<Group[]> {
  const { entity, filter, groupBy, values, order, limit } = request
  const parameters = new StatementValues()
  const shape = [
    `groups|${groupBy.map(({ name }) => name).join()}`,
    values.map(({ of, field }) => `${of} ${field.name}`).join(),
    filterShape(filter, parameters),
    order.map(orderShape).join(),
  ]
  const named = [...values, ...order].flatMap((each) => (each.of === 'count' ? [] : each.field))
  const names = { filter, fields: [...groupBy, ...named] }
  const statement = statementOf<{ json: string }>(
    data,
    shape.join('|'),
    { entity, values: parameters, limit, names },
    (builder) => buildGroups(builder, request),
  )
  const rows = await scanAll(data, statement.prepared, { ...statement, time })
  return rows.map(({ json }) => groupOf(JSON.parse(json) as RenderedGroup, request)) // the database has rendered it so
}

function orderShape(order: GroupOrder): string {
  const field = order.of === 'count' ? '' : order.field.name
  return `${order.of} ${field}${order.descending ? ' desc' : ''}`
}

function buildGroups(builder: SqlBuilder, request: GroupsRequest) {
  const { entity, filter, groupBy } = request
  const { dialect } = builder
  const { query, alias } = builder.rows(entity)
  const columnOf = (field: ReadField) => memberValue(field, alias, dialect)
  const rows = query.where(visitingAll({ entity, filter }, alias, builder))
  const grouped = groupBy.reduce((all, field) => all.groupBy(columnOf(field)), rows)
  const terms = orderTerms(request, columnOf, dialect)
  const ordered = terms.length === 0 ? grouped : grouped.orderBy(sql`${sql.join(terms)}`)
  return ordered
    .select(jsonText(dialect, membersOf(request, columnOf, dialect)).as('json'))
    .limit(builder.limit())
}

type ColumnOf = (field: ReadField) => RawBuilder<unknown>

/**
 * A group from the database: `g0`, … are the keys, `a0`, … the values, `c0`, … the row counts that averages divide
 * by.
 */
type RenderedGroup = Record<string, unknown> & { count: number }

function membersOf({ groupBy, values }: GroupsRequest, columnOf: ColumnOf, dialect: Dialect): JsonMember[] {
  const keys = groupBy.map((field, index): JsonMember => {
    const { kind, isNullable } = field
    return { name: `g${index}`, value: columnOf(field), kind, isNullable }
  })
  const results = values.flatMap(({ of, field }, index): JsonMember[] => {
    const column = columnOf(field)
    const name = `a${index}`
    if (of === 'min' || of === 'max')
      return [{ name, value: sql`${sql.raw(of)}(${column})`, kind: field.kind, isNullable: true }]
    const sum: JsonMember = { name, value: sumText(field, column, dialect), kind: 'text', isNullable: true }
    return of === 'sum' ? [sum] : [sum, counted(`c${index}`, sql`count(${column})`)]
  })
  return [counted('count', sql`count(*)`), ...keys, ...results]
}

function counted(name: string, value: RawBuilder<unknown>): JsonMember {
  return { name, value, kind: 'integer', isNullable: false }
}

function orderTerms(
  { groupBy, order }: GroupsRequest,
  columnOf: ColumnOf,
  dialect: Dialect,
): RawBuilder<unknown>[] {
  const named = order.flatMap((each) => (each.of === 'key' ? each.field : []))
  const rest = groupBy.filter((field) => !named.includes(field))
  const whole = [...order, ...rest.map((field) => ({ of: 'key', field, descending: false }) as const)]
  return whole.flatMap((each) => {
    const nulls = dialect === 'sqlite' ? '' : each.descending ? ' nulls last' : ' nulls first'
    const direction = sql.raw(`${each.descending ? ' desc' : ''}${nulls}`)
    return orderedValues(each, columnOf, dialect).map((value) => sql`${value}${direction}`)
  })
}

function orderedValues(order: GroupOrder, columnOf: ColumnOf, dialect: Dialect): RawBuilder<unknown>[] {
  if (order.of === 'count') return [sql`count(*)`]
  const { of, field } = order
  const column = columnOf(field)
  switch (of) {
    case 'key': {
      const isText = field.kind === 'text' || field.kind === 'enum'
      return [isText && dialect === 'postgres' ? sql`${column} collate "C"` : column]
    }
    case 'sum':
      return sumOrder(field, column, dialect)
    case 'avg':
      return [averageOrder(field, column, dialect)]
    default:
      return [sql`${sql.raw(of)}(${column})`]
  }
}

function groupOf(rendered: RenderedGroup, { groupBy, values }: GroupsRequest): Group {
  return {
    count: rendered.count,
    keys: groupBy.map((_field, index) => JSON.stringify(rendered[`g${index}`])),
    values: values.map(({ of, field }, index) => {
      const value = rendered[`a${index}`]
      if (value === null || of === 'min' || of === 'max') return JSON.stringify(value)
      const units = unitsOf(String(value))
      const decimals = decimalsOf(field)
      return of === 'sum'
        ? decimalText(units, decimals)
        : averageText(units, Number(rendered[`c${index}`]), decimals)
    }),
  }
}
