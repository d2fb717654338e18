/** Chooses the rows of a bulk request: the rows that it names, or the first rows that match its query. */
import type { Context } from '../../core/context.ts'
import { faultAt, invalidField, refusal, type ServiceError } from '../../core/errors.ts'
import { CallerTime } from '../../core/limits/caller-time.ts'
import { rowsIn } from '../../core/rows.ts'
import { totalOrder } from '../../database/read/order.ts'
import { columnField } from '../../database/read/read-model.ts'
import type { Selection } from '../../database/read/selection.ts'
import { countRows, readSlice } from '../../database/read/slice.ts'
import { filterOf, type ListQuery } from '../list.ts'
import { filtersIn } from '../live.ts'
import type { EntityParts } from '../parts.ts'
import { type BulkInput, maxRows } from './schema.ts'

export interface ChosenRow {
  id: string
  /** The version that the query has found; absent for a row that the request names. */
  version?: number
}

export interface Chosen {
  rows: ChosenRow[]
  /** The number of matching rows beyond the chosen ones. */
  remaining: number
}

/** The share by which the number of rows may differ from the one that the caller has seen. */
const tolerance = 0.1
const maxSearchLength = 1024

const selection: Selection = [
  { kind: 'field', as: 'id', field: columnField('id', 'uuid') },
  { kind: 'field', as: 'version', field: columnField('version', 'integer') },
]

/** @throws ServiceError `invalid`; `countChanged` when another number of rows matches than the caller has seen */
export async function chooseRows(
  context: Context,
  { ids, query, count }: BulkInput,
  { model, list }: Pick<EntityParts, 'model'> & { list: ListQuery },
): Promise<Chosen> {
  if ((ids === undefined) === (query === undefined)) throw refusal('idsOrQuery')
  if (ids !== undefined) {
    const named = new Set(ids.map((id) => id.toLowerCase()))
    if (named.size < ids.length) throw invalidField('ids', 'must name each row once', 'notUnique')
    return { rows: [...named].map((id) => ({ id })), remaining: 0 }
  }
  if (count === undefined) throw invalidField('count', 'is required with query', 'required')
  const filter = filterOf(queryIn(query ?? {}, list), list, { context, model })
  const order = totalOrder(model, [])
  const rows = { entity: model, filter, order, after: null, before: null }
  const data = rowsIn(context, model)
  const budget = { time: new CallerTime(context), take: () => undefined }
  const present = await countRows(data, rows, budget)
  if (Math.abs(present - count) > count * tolerance) throw countChanged(present)
  const page = { ...rows, limit: maxRows, selections: [selection], backward: false }
  const found = await readSlice(data, page, budget)
  const chosen = found.map(({ json: [row = ''] }) => JSON.parse(row) as ChosenRow) // as selected
  return { rows: chosen, remaining: Math.max(0, present - chosen.length) }
}

function countChanged(present: number): ServiceError {
  return refusal(
    'countChanged',
    { present },
    {
      faults: [faultAt('/count', `is ${present} now`, { code: 'changed', parameters: { present } })],
    },
  )
}

/** @throws ServiceError `invalid` for a parameter that the list does not have */
function queryIn(query: NonNullable<BulkInput['query']>, list: ListQuery) {
  if (list.searched.length === 0) return filtersIn(query, list.filters, 'query') // it may have a field `search`
  const { search, ...filters } = query
  const given = filtersIn(filters, list.filters, 'query')
  if (search === undefined) return given
  if (typeof search !== 'string' || search.length > maxSearchLength)
    throw invalidField('query.search', `must be a text of at most ${maxSearchLength} characters`, {
      code: 'tooLong',
      parameters: { limit: maxSearchLength },
    })
  return { ...given, search }
}
