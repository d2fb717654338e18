/** Reads all rows of an entity that match, in one statement. */
import { sql } from 'kysely'
import type { TenantData } from '../data.ts'
import { isQuick, isSlow, readDirectly, remember, timed } from '../scan.ts'
import { type ReadBudget, unlimited } from './budget.ts'
import { filterShape } from './filter.ts'
import { guarded, isIndexed, type Rows } from './indexed.ts'
import { keyValue, orderBy, orderShape } from './order.ts'
import { columnsOf, joinRows, renderRow, selectionShape } from './render.ts'
import type { Scene } from './scene.ts'
import { byteLength, maxBytesOf, maxDirectBytes, type Selection } from './selection.ts'
import { statementOf } from './statement.ts'
import type { Parameter } from './value.ts'

export interface ListRequest extends Rows {
  selection: Selection
  limit: number
}

export interface List {
  /** The objects in pieces, each of some objects joined by commas, without brackets; bytes where there may be many. */
  pieces: (string | Buffer)[]
  count: number
}

export async function readList(data: TenantData, request: ListRequest, budget = unlimited): Promise<List> {
  const { entity, selection, filter, order, limit } = request
  const values: Parameter[] = []
  const shape = `${entity.name}|${selectionShape(selection)}|${filterShape(filter, values)}|${orderShape(order)}`
  const { dialect } = data.executor
  const { prepared, parameters } = statementOf<{ json: string }>(
    dialect,
    `rows|${shape}`,
    [...values, limit],
    (scene) => buildRows(scene, request),
  )
  const seemsQuick = isIndexed(request) ? !isSlow(data, prepared) : isQuick(data, prepared)
  const mayBeDirect = seemsQuick || !data.canScan
  const heldRows = Math.max(1, Math.floor(maxDirectBytes / maxBytesOf(selection)))
  const maxRows = data.canScan ? Math.min(limit, heldRows) : limit
  if (mayBeDirect) {
    const list = statementOf<DirectList>(dialect, `list|${shape}`, [...values, maxRows], (scene) =>
      buildList(scene, request),
    )
    const [found] = (await readDirectly(data, list.prepared, { ...list, as: prepared })) ?? []
    if (found !== undefined && (found.count < maxRows || found.count === limit)) {
      budget.take(found.count, byteLength(found.json))
      return { pieces: found.json === null ? [] : [found.json], count: found.count }
    }
    remember(data, prepared, 'slow')
  }
  const batches = timed(data, prepared, data.scan(prepared, parameters, budget.time))
  return gather(batches, budget)
}

interface DirectList {
  json: string | null
  count: number
}

async function gather(batches: AsyncIterable<{ json: string }[]>, budget: ReadBudget): Promise<List> {
  const pieces: Buffer[] = []
  let count = 0
  for await (const rows of batches) {
    if (rows.length === 0) continue
    const piece = Buffer.from(rows.map(({ json }) => json).join())
    budget.take(rows.length, piece.length)
    pieces.push(piece)
    count += rows.length
  }
  return { pieces, count }
}

/** Rows are rendered behind the limit: to sort their columns takes less than to sort their texts. */
function buildList(scene: Scene, request: ListRequest) {
  const { query, json, sorted } = buildPage(scene, request)
  return query.select([
    sql<string | null>`string_agg(${json}, ','${sorted === null ? sql`` : sql` order by ${sorted}`})`.as(
      'json',
    ),
    sql<number>`count(*)`.as('count'),
  ])
}

/** The same, row by row. */
function buildRows(scene: Scene, request: ListRequest) {
  const { query, json, sorted } = buildPage(scene, request)
  const rows = query.select(json.as('json'))
  return sorted === null ? rows : rows.orderBy(sorted)
}

function buildPage(scene: Scene, request: ListRequest) {
  const { entity, selection, order } = request
  const { query, alias } = scene.rows(entity)
  const names = new Set([...entity.key.map(({ column }) => column), ...columnsOf(selection)])
  const columns = [...names].map((name) => sql.ref(`${alias}.${name}`).as(name))
  // PostgreSQL promises no order to what is read of it by itself; SQLite keeps that of a limited subquery.
  const isSorted = scene.dialect === 'postgres'
  const keyColumns = isSorted ? order.map((key, index) => keyValue(key, alias, scene).as(`k${index}`)) : []
  const rows = query
    .where(guarded(request, alias, scene))
    .select([...columns, ...keyColumns])
    .orderBy(orderBy(order, (key) => keyValue(key, alias, scene), scene))
    .limit(scene.place<number>())
  const sorted = isSorted ? orderBy(order, (_key, index) => sql.ref(`k${index}`), scene) : null
  const page = scene.from(rows)
  const { query: withRows, joined } = joinRows(page.query, selection, page.alias, scene)
  return { query: withRows, json: renderRow(selection, page.alias, scene, joined), sorted }
}
