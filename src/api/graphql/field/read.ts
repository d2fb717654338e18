/** Reads the fields of a query as JSON text. */

import type { TenantData } from '../../../database/data.ts'
import { hasKey, narrowed } from '../../../database/read/conditions.ts'
import type { Filter } from '../../../database/read/filter.ts'
import { type List, readList } from '../../../database/read/list.ts'
import type { ReadBudget } from '../../../database/read/measure.ts'
import { readOne } from '../../../database/read/one.ts'
import { withoutDuplicates } from '../../../database/read/projection.ts'
import type { ReadModel } from '../../../database/read/read-model.ts'
import { byteLength, type Selection } from '../../../database/read/selection.ts'
import { TimeSlice } from '../../../database/time-slice.ts'
import { type Json, JsonWriter } from '../json-writer.ts'
import type { PreparedField } from './prepare.ts'
import { copiesOf, copiesOfList, type RenderedRow, writeRow } from './row.ts'

/** Reads one row more than allowed, so that the budget detects an excess. */
export async function readRows(
  data: TenantData,
  { entity, selection, filter, order, rows }: PreparedField<'list'>,
  budget: ReadBudget,
): Promise<Json> {
  const [distinct = selection] = withoutDuplicates([selection])
  const request = { entity, selection: distinct, filter, order, limit: rows + 1 }
  const { chunks } = await readList(data, request, budget)
  if (distinct !== selection) return copyChunks(chunks, selection, budget)
  const [only = ''] = chunks
  if (chunks.length <= 1 && typeof only === 'string') return `[${only}]`
  return [...chunks.flatMap((chunk, index) => [index === 0 ? '[' : ',', chunk]), ']']
}

async function copyChunks(chunks: List['chunks'], selection: Selection, budget: ReadBudget): Promise<Json> {
  const writer = new JsonWriter()
  const pace = new TimeSlice()
  writer.add('[')
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) writer.add(',')
    for (const [position, row] of copiesOfList(chunk, selection, budget).entries()) {
      if (position > 0) writer.add(',')
      await writeRow(writer, row, pace)
    }
  }
  writer.add(']')
  return writer.finish()
}

interface RowRequest {
  entity: ReadModel
  selection: Selection
  id: string
  /** Only rows that match this filter are found; `null` for every row. */
  within?: Filter | null
}

/** @returns `null` if there is no such row @throws RowTooLarge, and the errors of the budget */
export async function readRow(
  data: TenantData,
  { entity, selection, id, within = null }: RowRequest,
  budget: ReadBudget,
): Promise<RenderedRow | null> {
  const [distinct = selection] = withoutDuplicates([selection])
  const json = await readOne(
    data,
    { entity, selection: distinct, filter: narrowed(hasKey(entity, id), within) },
    budget,
  )
  budget.take(1, byteLength(json))
  if (json === null || distinct === selection) return json
  const [copy = null] = copiesOf(json, { selections: [selection], budget })
  return copy
}
