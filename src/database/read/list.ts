/**
 * Reads all matching rows of an entity with one statement. A list that is short and quick is read directly, as one JSON
 * text; any other as a scan, in batches.
 */
import { sql } from 'kysely'
import type { TenantData } from '../data.ts'
import { asTrial, isQuick, isSlow, readDirectly, recordingPace, recordPace, trialOf } from '../scan.ts'
import { filterShape } from './filter.ts'
import { guarded, isByKey, isIndexed, type Rows } from './indexed.ts'
import { type ReadBudget, renderBounded, rendered, unlimited } from './measure.ts'
import { keyValue, orderBy, orderShape } from './order.ts'
import { buildPage, type PageQueryParts } from './page.ts'
import { addPages, pagesIn } from './relation-page.ts'
import { joinRelatedRows, selectionShape } from './render.ts'
import { byteLength, maxBytesOf, maxDirectBytes, type Selection } from './selection.ts'
import type { SqlBuilder } from './sql-builder.ts'
import { statementOf } from './statement.ts'
import { StatementValues } from './values.ts'

export interface ListRequest extends Rows {
  selection: Selection
  limit: number
}

export interface List {
  /** Chunks of objects joined by commas, without brackets; long chunks are bytes. */
  chunks: (string | Buffer)[]
  count: number
}

export async function readList(data: TenantData, request: ListRequest, budget = unlimited): Promise<List> {
  const { entity, selection, filter, order, limit } = request
  const pages = pagesIn(selection)
  const values = new StatementValues()
  addPages(pages, values)
  const shape = `${selectionShape(selection)}|${filterShape(filter, values)}|${orderShape(order)}`
  const names = { selections: [selection], filter, order }
  const { prepared, parameters } = statementOf<{ json: string | null }>(
    data,
    `rows|${shape}`,
    { entity, values, limit, names },
    (builder) => buildRows(builder, request),
  )
  // Another reader may be finding out just now whether this read is quick.
  const trial = trialOf(data, prepared)
  if (trial !== null) await trial
  // An indexed list is tried directly unless it was slow; any other only if it was quick before.
  const seemsQuick =
    isIndexed(request) && pages.length === 0 ? !isSlow(data, prepared) : isQuick(data, prepared)
  const maxDirectRows = Math.floor(maxDirectBytes / maxBytesOf(selection))
  const mayBeDirect = maxDirectRows > 0 && (seemsQuick || !data.canScan)
  const maxRows = data.canScan ? Math.min(limit, maxDirectRows) : limit
  if (mayBeDirect) {
    const list = statementOf<DirectList>(
      data,
      `list|${shape}`,
      { entity, values, limit: maxRows, names },
      (builder) => buildList(builder, request),
    )
    const found = await asTrial(data, prepared, async () => {
      const [rows] = (await readDirectly(data, list.prepared, { ...list, as: prepared })) ?? []
      if (rows !== undefined && (rows.count < maxRows || rows.count === limit)) return rows
      recordPace(data, prepared, 'slow')
      return null
    })
    if (found !== null) {
      budget.take(found.count, byteLength(found.json))
      return { chunks: found.json === null ? [] : [found.json], count: found.count }
    }
  }
  const batches = recordingPace(data, prepared, budget.time, (time) =>
    data.scan(prepared, parameters, time, maxBytesOf(selection)),
  )
  return gather(batches, budget)
}

interface DirectList {
  json: string | null
  count: number
}

async function gather(batches: AsyncIterable<{ json: string | null }[]>, budget: ReadBudget): Promise<List> {
  const chunks: Buffer[] = []
  let count = 0
  for await (const rows of batches) {
    if (rows.length === 0) continue
    const chunk = Buffer.from(rows.map(({ json }) => rendered(json)).join())
    budget.take(rows.length, chunk.length)
    chunks.push(chunk)
    count += rows.length
  }
  return { chunks, count }
}

function buildList(builder: SqlBuilder, request: ListRequest) {
  const { query, texts, sorted } = pageOf(builder, request)
  const [text] = texts
  return query.select([
    sql<string | null>`string_agg(${text}, ','${sorted === null ? sql`` : sql` order by ${sorted}`})`.as(
      'json',
    ),
    sql<number>`count(*)`.as('count'),
  ])
}

function buildRows(builder: SqlBuilder, request: ListRequest) {
  const { query, texts, sorted } = pageOf(builder, request)
  const rows = query.select(texts.map((text) => text.as('json')))
  return sorted === null ? rows : rows.orderBy(sorted)
}

function pageOf(builder: SqlBuilder, request: ListRequest): Omit<PageQueryParts, 'keys'> {
  if (builder.dialect === 'sqlite' && isByKey(request.entity, request.order))
    return buildInOrder(builder, request)
  const selections = [request.selection]
  return buildPage(builder, request, { selections, withKeys: false, conditions: () => [] })
}

/**
 * Renders rows while they are found, because they need no sorting. No row is rendered in vain: a list has no further
 * pages.
 */
function buildInOrder(builder: SqlBuilder, request: ListRequest): Omit<PageQueryParts, 'keys'> {
  const { entity, order, selection } = request
  const { query, alias } = builder.rows(entity)
  const { query: withRows, joined } = joinRelatedRows(query, selection, alias, builder)
  const found = withRows
    .where(guarded(request, alias, builder))
    .select(renderBounded(selection, alias, builder, joined).as('json'))
    .orderBy(orderBy(order, (key) => keyValue(key, alias, builder), builder))
    .limit(builder.limit())
  const page = builder.from(found)
  return { query: page.query, texts: [sql.ref(`${page.alias}.json`)], sorted: null }
}
