/** Reads what is selected of an entity, in one statement each. */
import { sql } from 'kysely'
import type { TenantData } from '../data.ts'
import type { Entity } from './entity.ts'
import { type Filter, filterShape, restriction } from './filter.ts'
import {
  behind,
  keyValue,
  orderBy,
  orderShape,
  type Place,
  placeShape,
  reversed,
  type SortKey,
} from './order.ts'
import { columnsOf, joinRows, renderRow, selectionShape } from './render.ts'
import type { AnyRows, Scene } from './scene.ts'
import type { Selection } from './selection.ts'
import { type Statement, statementOf } from './statement.ts'
import type { Parameter } from './value.ts'

export interface ListRequest {
  entity: Entity
  selection: Selection
  filter: Filter
  /** Total: no two rows are equal by it. */
  order: readonly SortKey[]
  limit: number
}

export interface List {
  /** The objects, joined by commas, without brackets; `null` for no rows. */
  json: string | null
  count: number
}

export async function readList(data: TenantData, request: ListRequest): Promise<List> {
  const { entity, selection, filter, order, limit } = request
  const values: Parameter[] = []
  const shape = `list|${entity.name}|${selectionShape(selection)}|${filterShape(filter, values)}|${orderShape(order)}`
  values.push(limit)
  const statement = statementOf<List>(data.executor.dialect, shape, values, (scene) =>
    buildList(scene, request),
  )
  return (await first(data, statement)) ?? { json: null, count: 0 }
}

/** @returns the object as JSON text; `null` when there is none */
export async function readOne(
  data: TenantData,
  { entity, selection, filter }: Omit<ListRequest, 'order' | 'limit'>,
): Promise<string | null> {
  const values: Parameter[] = []
  const shape = `one|${entity.name}|${selectionShape(selection)}|${filterShape(filter, values)}`
  const statement = statementOf<{ json: string }>(data.executor.dialect, shape, values, (scene) => {
    const { query, alias } = scene.rows(entity)
    return query
      .select(renderRow(selection, alias, scene).as('json'))
      .where(restriction(filter, alias, scene))
  })
  return (await first(data, statement))?.json ?? null
}

export interface SliceRequest extends Omit<ListRequest, 'selection'> {
  /** Several, where a row is wanted in several forms. */
  selections: readonly Selection[]
  after: Place | null
  before: Place | null
  /** The last rows rather than the first ones; they come in reverse order. */
  backward: boolean
}

export interface SliceRow {
  /** The row by each of the selections. */
  json: string[]
  place: Place
}

/** Rows between two places. */
export async function readSlice(data: TenantData, request: SliceRequest): Promise<SliceRow[]> {
  const { entity, selections, order, limit, backward } = request
  const { shape, values } = between(request)
  const whole = ['slice', entity.name, ...selections.map(selectionShape), shape, backward ? 'last' : 'first']
  const statement = statementOf<Record<string, unknown>>(
    data.executor.dialect,
    whole.join('|'),
    [...values, limit],
    (scene) => buildSlice(scene, request),
  )
  const rows = await data.all(statement.prepared, statement.parameters, statement.reusable)
  return rows.map((row) => ({
    json: selections.map((_selection, index) => String(row[`json${index}`])),
    place: order.map((_key, index) => (row[`k${index}`] ?? null) as Place[number]), // columns of those kinds
  }))
}

/** How many rows there are between two places. */
export async function countRows(
  data: TenantData,
  request: Pick<SliceRequest, 'entity' | 'filter' | 'order' | 'after' | 'before'>,
): Promise<number> {
  const { shape, values } = between(request)
  const statement = statementOf<{ count: number }>(
    data.executor.dialect,
    `count|${request.entity.name}|${shape}`,
    values,
    (scene) => {
      const { query, alias } = scene.rows(request.entity)
      return restrict(query, request, alias, scene).select(sql<number>`count(*)`.as('count'))
    },
  )
  return (await first(data, statement))?.count ?? 0
}

/** Whether a row is at a place or before it: the first of all is. */
export async function isAnythingUpTo(
  data: TenantData,
  { entity, filter, order, place }: Pick<SliceRequest, 'entity' | 'filter' | 'order'> & { place: Place },
): Promise<boolean> {
  const values: Parameter[] = []
  const shape = [filterShape(filter, values), orderShape(order), placeShape(order, place, values)]
  const statement = statementOf<{ isBehind: unknown }>(
    data.executor.dialect,
    `upTo|${entity.name}|${shape.join('|')}`,
    values,
    (scene) => {
      const { query, alias } = scene.rows(entity)
      return query
        .where(restriction(filter, alias, scene))
        .select(sql`(${behind(order, place, alias, scene)}) is true`.as('isBehind'))
        .orderBy(orderBy(order, (key) => keyValue(key, alias, scene), scene))
        .limit(sql<number>`1`)
    },
  )
  const row = await first(data, statement)
  return row !== null && !row.isBehind // SQLite has 0 for it
}

/** Rows are rendered behind the limit: to sort their columns takes less than to sort their texts. */
function buildList(scene: Scene, { entity, selection, filter, order }: ListRequest) {
  const { query, alias } = scene.rows(entity)
  const names = new Set([...entity.key.map(({ column }) => column), ...columnsOf(selection)])
  const columns = [...names].map((name) => sql.ref(`${alias}.${name}`).as(name))
  // PostgreSQL promises no order to an aggregate by itself; SQLite keeps that of a limited subquery.
  const keyColumns =
    scene.dialect === 'postgres' ? order.map((key, index) => keyValue(key, alias, scene).as(`k${index}`)) : []
  const rows = query
    .where(restriction(filter, alias, scene))
    .select([...columns, ...keyColumns])
    .orderBy(orderBy(order, (key) => keyValue(key, alias, scene), scene))
    .limit(scene.place<number>())
  const sorted =
    scene.dialect === 'postgres'
      ? sql` order by ${orderBy(order, (_key, index) => sql.ref(`k${index}`), scene)}`
      : sql``
  const page = scene.from(rows)
  const { query: withRows, joined } = joinRows(page.query, selection, page.alias, scene)
  const json = renderRow(selection, page.alias, scene, joined)
  return withRows.select([
    sql<string | null>`string_agg(${json}, ','${sorted})`.as('json'),
    sql<number>`count(*)`.as('count'),
  ])
}

function buildSlice(scene: Scene, request: SliceRequest) {
  const { entity, selections, order, backward } = request
  const { query, alias } = scene.rows(entity)
  const texts = selections.map((selection, index) => renderRow(selection, alias, scene).as(`json${index}`))
  const keys = order.map((key, index) => keyValue(key, alias, scene).as(`k${index}`))
  return restrict(query, request, alias, scene)
    .select([...texts, ...keys])
    .orderBy(orderBy(backward ? reversed(order) : order, (key) => keyValue(key, alias, scene), scene))
    .limit(scene.place<number>())
}

type Between = Pick<SliceRequest, 'filter' | 'order' | 'after' | 'before'>

/** Whatever `restrict` places, in its order. */
function between({ filter, order, after, before }: Between): { shape: string; values: Parameter[] } {
  const values: Parameter[] = []
  const parts = [filterShape(filter, values), orderShape(order)]
  parts.push(after === null ? '' : placeShape(order, after, values))
  parts.push(before === null ? '' : placeShape(reversed(order), before, values))
  return { shape: parts.join('|'), values }
}

function restrict(
  query: AnyRows,
  { filter, order, after, before }: Between,
  alias: string,
  scene: Scene,
): AnyRows {
  let restricted = query.where(restriction(filter, alias, scene))
  if (after !== null) restricted = restricted.where(behind(order, after, alias, scene))
  if (before !== null) restricted = restricted.where(behind(reversed(order), before, alias, scene))
  return restricted
}

function first<R>(data: TenantData, { prepared, parameters, reusable }: Statement<R>): Promise<R | null> {
  return data.first(prepared, parameters, reusable)
}
