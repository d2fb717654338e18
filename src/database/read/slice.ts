/** Reads pages of an entity, and what is known of the rows around them. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantData } from '../data.ts'
import { scanAll } from '../scan.ts'
import { type ReadBudget, unlimited } from './budget.ts'
import { filterShape } from './filter.ts'
import { guarded, isIndexed, type Rows, timeLimited } from './indexed.ts'
import { rendered } from './measure.ts'
import { behind, type KeysetPosition, keyValue, orderBy, orderShape, placeShape, reversed } from './order.ts'
import { buildPage } from './page.ts'
import { selectionShape } from './render.ts'
import { byteLength, maxBytesOf, maxDirectBytes, type Selection } from './selection.ts'
import type { SqlBuilder } from './sql-builder.ts'
import { type Statement, statementOf } from './statement.ts'
import type { Parameter } from './value.ts'

export interface SliceRequest extends Rows {
  limit: number
  /** Several, where a row is wanted in several forms. */
  selections: readonly Selection[]
  after: KeysetPosition | null
  before: KeysetPosition | null
  /** The last rows rather than the first ones; they come in reverse order. */
  backward: boolean
}

export interface SliceRow {
  /** The row by each of the selections. */
  json: string[]
  place: KeysetPosition
}

/** Rows between two places. */
export async function readSlice(
  data: TenantData,
  request: SliceRequest,
  budget = unlimited,
): Promise<SliceRow[]> {
  const { entity, selections, order, limit, backward } = request
  const { shape, values } = between(request)
  const whole = ['slice', entity.name, ...selections.map(selectionShape), shape, backward ? 'last' : 'first']
  const statement = statementOf<Record<string, unknown>>(
    data.executor.dialect,
    whole.join('|'),
    [...values, limit],
    (builder) => buildSlice(builder, request),
  )
  const rows: Record<string, unknown>[] = []
  for await (const batch of sliceBatches(data, statement, request, budget)) {
    budget.take(
      batch.length,
      batch.reduce((sum, row) => sum + sizeOfTexts(row, selections.length), 0),
    )
    rows.push(...batch)
  }
  return rows.map((row) => ({
    json: selections.map((_selection, index) => rendered(row[`json${index}`] as string | null)), // a column of text
    place: order.map((_key, index) => (row[`k${index}`] ?? null) as KeysetPosition[number]), // columns of those kinds
  }))
}

async function* sliceBatches(
  data: TenantData,
  statement: Statement<Record<string, unknown>>,
  request: SliceRequest,
  { time }: ReadBudget,
) {
  const { prepared, parameters, reusable } = statement
  const maxBytes = request.selections.reduce((sum, selection) => sum + maxBytesOf(selection), 0)
  if (request.limit * maxBytes > maxDirectBytes) yield* data.scan(prepared, parameters, time, maxBytes)
  else if (isIndexed(request)) yield await data.all(prepared, parameters, reusable)
  else yield await scanAll(data, prepared, { parameters, time, reusable })
}

function sizeOfTexts(row: Record<string, unknown>, count: number): number {
  let bytes = 0
  for (let index = 0; index < count; index++) bytes += byteLength(String(row[`json${index}`]))
  return bytes
}

/** How many rows there are between two places. */
export async function countRows(data: TenantData, request: Between, { time } = unlimited): Promise<number> {
  const { shape, values } = between(request)
  const statement = statementOf<{ count: number }>(
    data.executor.dialect,
    `count|${request.entity.name}|${shape}`,
    values,
    (builder) => {
      const { query, alias } = builder.rows(request.entity)
      // To count rows is to look at each.
      return [timeLimited(request, alias, builder), ...conditions(request, alias, builder)]
        .reduce((all, condition) => all.where(condition), query)
        .select(sql<number>`count(*)`.as('count'))
    },
  )
  const [row] = await scanAll(data, statement.prepared, { ...statement, time })
  return row?.count ?? 0
}

/** Whether a row is at a place or before it: the first of all is. */
export async function isAnythingUpTo(
  data: TenantData,
  request: Rows & { place: KeysetPosition },
  { time } = unlimited,
): Promise<boolean> {
  const { entity, filter, order, place } = request
  const values: Parameter[] = []
  const shape = [filterShape(filter, values), orderShape(order), placeShape(order, place, values)]
  const statement = statementOf<{ isBehind: unknown }>(
    data.executor.dialect,
    `upTo|${entity.name}|${shape.join('|')}`,
    values,
    (builder) => {
      const { query, alias } = builder.rows(entity)
      return query
        .where(guarded(request, alias, builder))
        .select(sql`(${behind(order, place, alias, builder)}) is true`.as('isBehind'))
        .orderBy(orderBy(order, (key) => keyValue(key, alias, builder), builder))
        .limit(sql<number>`1`)
    },
  )
  const [row] = isIndexed(request)
    ? await data.all(statement.prepared, statement.parameters, statement.reusable)
    : await scanAll(data, statement.prepared, { ...statement, time })
  return row !== undefined && !row.isBehind // SQLite has 0 for it
}

function buildSlice(builder: SqlBuilder, request: SliceRequest) {
  const { selections, order, backward } = request
  const rows = { ...request, order: backward ? reversed(order) : order }
  const page = buildPage(builder, rows, {
    selections,
    withKeys: true,
    conditions: (alias) => conditions(request, alias, builder),
  })
  const texts = page.texts.map((text, index) => text.as(`json${index}`))
  const sliced = page.query.select([...texts, ...page.keys.map((key, index) => key.as(`k${index}`))])
  return page.sorted === null ? sliced : sliced.orderBy(page.sorted)
}

type Between = Rows & Pick<SliceRequest, 'after' | 'before'>

/** What a filter and `conditions` place, in their order. */
function between({ filter, order, after, before }: Between): { shape: string; values: Parameter[] } {
  const values: Parameter[] = []
  const parts = [filterShape(filter, values), orderShape(order)]
  parts.push(after === null ? '' : placeShape(order, after, values))
  parts.push(before === null ? '' : placeShape(reversed(order), before, values))
  return { shape: parts.join('|'), values }
}

/** That rows are between two places. */
function conditions(
  { order, after, before }: Between,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool>[] {
  const all: RawBuilder<SqlBool>[] = []
  if (after !== null) all.push(behind(order, after, alias, builder))
  if (before !== null) all.push(behind(reversed(order), before, alias, builder))
  return all
}
