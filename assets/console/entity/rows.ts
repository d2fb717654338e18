/** Reads and changes rows of an entity. */
import { type Answer, get, nextCursor, request } from '../api.ts'
import type { Action, EntityDescription, Row } from '../describe.ts'
import { pathOf } from '../describe.ts'
import { newKey } from '../new-key.ts'
import { readTogether } from '../read-together.ts'

export interface Page {
  rows: readonly Row[]
  next: string | null
  total: number | null
}

export interface StoredRow {
  row: Row
  etag: string | null
}

/** The permissions of the user for one row. */
interface RowRights {
  change: boolean
  delete: boolean
  actions: readonly string[]
}

type Query = Readonly<Record<string, string | undefined>>

/** @throws ApiError */
export async function loadPage(entity: EntityDescription, query: Query, signal?: AbortSignal): Promise<Page> {
  const { list } = entity.operations
  if (list === undefined) return { rows: [], next: null, total: null }
  const { body, headers } = await request<Row[]>('GET', list.path, { query, ...(signal && { signal }) })
  const total = headers.get('x-total-count')
  return { rows: body, next: nextCursor(headers), total: total === null ? null : Number(total) }
}

/** The largest page of the service. */
const pageSize = 200

/** @param most reading ends with the page that has the row of this number @returns the matching rows @throws ApiError */
export async function loadRows(entity: EntityDescription, query: Query, most = Infinity): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = await loadPage(entity, { ...query, limit: `${pageSize}`, cursor })
    rows.push(...page.rows)
    cursor = page.next ?? undefined
  } while (cursor !== undefined && rows.length < most)
  return rows
}

/** Reads a row. Calls at about the same time become one request. @returns `null` if there is no such row */
export function loadRow(entity: EntityDescription, id: string): Promise<Row | null> {
  return readTogether(
    entity.name,
    id,
    async (ids) => (await loadPage(entity, { 'id[in]': ids, limit: '100' })).rows,
  )
}

/** @throws ApiError */
export async function loadStored(entity: EntityDescription, id: string): Promise<StoredRow> {
  const { get: operation } = entity.operations
  if (operation === undefined)
    return { row: await get<Row>(`${entity.operations.list?.path}/${id}`), etag: null }
  return storedOf(await request<Row>('GET', pathOf(operation, id)))
}

/** @returns a row, and the entity with the operations that the user may use for this row @throws ApiError */
export async function loadRecord(
  entity: EntityDescription,
  id: string,
): Promise<{ stored: StoredRow; allowed: EntityDescription }> {
  const [stored, allowed] = await Promise.all([loadStored(entity, id), loadAllowed(entity, id)])
  return { stored, allowed }
}

/** @returns the entity without operations that the service would refuse for this row @throws ApiError */
async function loadAllowed(entity: EntityDescription, id: string): Promise<EntityDescription> {
  const { operations, hasRights } = entity
  if (hasRights !== true || operations.get === undefined) return entity
  const rights = await get<RowRights>(`${pathOf(operations.get, id)}/rights`)
  const { change, delete: removal, ...others } = operations
  return {
    ...entity,
    operations: {
      ...others,
      ...(rights.change && change !== undefined && { change }),
      ...(rights.delete && removal !== undefined && { delete: removal }),
    },
    actions: entity.actions.filter(({ name }) => rights.actions.includes(name)),
  }
}

/** @throws ApiError */
export async function createRow(entity: EntityDescription, body: object): Promise<StoredRow> {
  const { create } = entity.operations
  const headers = { 'idempotency-key': newKey() }
  return storedOf(await request<Row>('POST', create?.path ?? '', { body, headers }))
}

/** @throws ApiError 412 if the row has changed since the version of its `etag` */
export async function changeRow(
  entity: EntityDescription,
  { row, etag }: StoredRow,
  body: object,
): Promise<StoredRow> {
  const { change } = entity.operations
  if (change === undefined) return { row, etag }
  const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
  return storedOf(await request<Row>(change.method, pathOf(change, row.id), { body, headers }))
}

/** @throws ApiError */
export async function deleteRow(entity: EntityDescription, id: string): Promise<void> {
  const { delete: operation } = entity.operations
  if (operation !== undefined) await request('DELETE', pathOf(operation, id))
}

/** @throws ApiError */
export async function runAction(action: Action, id: string, body: unknown): Promise<StoredRow> {
  return storedOf(await request<Row>(action.method, pathOf(action, id), body === null ? {} : { body }))
}

function storedOf({ body, headers }: Answer<Row>): StoredRow {
  return { row: body, etag: headers.get('etag') }
}
