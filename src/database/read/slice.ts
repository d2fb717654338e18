/** Reads a page of an entity between two positions of an order, counts such rows, and finds whether rows precede it. */
import { sql } from 'kysely'
import type { TenantData } from '../data.ts'
import { scanAll } from '../scan.ts'
import { filterShape } from './filter.ts'
import { guarded, isIndexed, type Rows, visitingAll } from './indexed.ts'
import { type ReadBudget, rendered, unlimited } from './measure.ts'
import {
  type KeysetPosition,
  keysetPredicate,
  keysetShape,
  keyValue,
  orderBy,
  orderShape,
  reversed,
} from './order.ts'
import { buildPage } from './page.ts'
import { between, type RowRange, rangeShape } from './range.ts'
import { addPages, hasPages, pagesIn } from './relation-page.ts'
import { selectionShape } from './render.ts'
import { byteLength, maxBytesOf, maxDirectBytes, type Selection } from './selection.ts'
import type { SqlBuilder } from './sql-builder.ts'
import { type Statement, statementOf } from './statement.ts'
import { StatementValues } from './values.ts'

export interface SliceRequest extends Rows {
  limit: number
  /** What is returned of each row; several selections return the row in several forms. */
  selections: readonly Selection[]
  after: KeysetPosition | null
  before: KeysetPosition | null
  /** Reads the last rows instead of the first; they come in reverse order. */
  backward: boolean
}

export interface SliceRow {
  /** The row, once for each selection. */
  json: string[]
  position: KeysetPosition
}

/** Reads the rows between two positions. */
export async function readSlice(
  data: TenantData,
  request: SliceRequest,
  budget = unlimited,
): Promise<SliceRow[]> {
  const part = { ...request, partBytes: Number.POSITIVE_INFINITY }
  return (await readPart(data, part, budget)).rows
}

/**
 * Reads the rows between two positions until their size reaches `partBytes`.
 * @returns `isCut` if more rows may follow
 */
export async function readPart(
  data: TenantData,
  request: SliceRequest & { partBytes: number },
  budget = unlimited,
): Promise<{ rows: SliceRow[]; isCut: boolean }> {
  const { entity, selections, order, limit, backward } = request
  const values = new StatementValues()
  addPages(selections.flatMap(pagesIn), values)
  const shape = rangeShape(request, values)
  const whole = ['slice', ...selections.map(selectionShape), shape, backward ? 'last' : 'first']
  const statement = statementOf<Record<string, unknown>>(
    data,
    whole.join('|'),
    { entity, values, limit, names: request },
    (builder) => buildSlice(builder, request),
  )
  const rows: Record<string, unknown>[] = []
  let bytes = 0
  for await (const batch of sliceBatches(data, statement, request, budget)) {
    const batchBytes = batch.reduce((sum, row) => sum + sizeOfTexts(row, selections.length), 0)
    budget.take(batch.length, batchBytes)
    rows.push(...batch)
    bytes += batchBytes
    if (bytes >= request.partBytes) break
  }
  const sliced = rows.map((row) => ({
    json: selections.map((_selection, index) => rendered(row[`json${index}`] as string | null)), // a column of text
    position: order.map((_key, index) => (row[`k${index}`] ?? null) as KeysetPosition[number]), // columns of those kinds
  }))
  return { rows: sliced, isCut: bytes >= request.partBytes }
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
  else if (isIndexed(request) && !request.selections.some(hasPages))
    yield await data.all(prepared, parameters, reusable)
  else yield await scanAll(data, prepared, { parameters, time, reusable })
}

function sizeOfTexts(row: Record<string, unknown>, count: number): number {
  let bytes = 0
  for (let index = 0; index < count; index++) bytes += byteLength(String(row[`json${index}`]))
  return bytes
}

/** Counts the rows between two positions. */
export async function countRows(
  data: TenantData,
  request: Rows & RowRange,
  { time } = unlimited,
): Promise<number> {
  const { entity } = request
  const values = new StatementValues()
  const shape = rangeShape(request, values)
  const statement = statementOf<{ count: number }>(
    data,
    `count|${shape}`,
    { entity, values, names: request },
    (builder) => {
      const { query, alias } = builder.rows(entity)
      return [visitingAll(request, alias, builder), ...between(request, alias, builder)]
        .reduce((all, condition) => all.where(condition), query)
        .select(sql<number>`count(*)`.as('count'))
    },
  )
  const [row] = await scanAll(data, statement.prepared, { ...statement, time })
  return row?.count ?? 0
}

/** Whether a row is at a position or before it. Only the first row is read: if any row is, the first one is. */
export async function hasRowsUpTo(
  data: TenantData,
  request: Rows & { position: KeysetPosition },
  { time } = unlimited,
): Promise<boolean> {
  const { entity, filter, order, position } = request
  const values = new StatementValues()
  const shape = [filterShape(filter, values), orderShape(order), keysetShape(order, position, values)]
  const statement = statementOf<{ isAfter: unknown }>(
    data,
    `upTo|${shape.join('|')}`,
    { entity, values, names: request },
    (builder) => {
      const { query, alias } = builder.rows(entity)
      return query
        .where(guarded(request, alias, builder))
        .select(sql`(${keysetPredicate(order, position, alias, builder)}) is true`.as('isAfter'))
        .orderBy(orderBy(order, (key) => keyValue(key, alias, builder), builder))
        .limit(sql<number>`1`)
    },
  )
  const [row] = isIndexed(request)
    ? await data.all(statement.prepared, statement.parameters, statement.reusable)
    : await scanAll(data, statement.prepared, { ...statement, time })
  return row !== undefined && !row.isAfter // SQLite returns 0
}

function buildSlice(builder: SqlBuilder, request: SliceRequest) {
  const { selections, order, backward } = request
  const rows = { ...request, order: backward ? reversed(order) : order }
  const page = buildPage(builder, rows, {
    selections,
    withKeys: true,
    conditions: (alias) => between(request, alias, builder),
  })
  const texts = page.texts.map((text, index) => text.as(`json${index}`))
  const sliced = page.query.select([...texts, ...page.keys.map((key, index) => key.as(`k${index}`))])
  return page.sorted === null ? sliced : sliced.orderBy(page.sorted)
}
