/** The fields of a query, each as the JSON text of its value. */
import type { TenantData } from '../../database/data.ts'
import type { ReadBudget } from '../../database/read/budget.ts'
import type { Entity } from '../../database/read/entity.ts'
import type { Filter } from '../../database/read/filter.ts'
import { readList } from '../../database/read/list.ts'
import { readOne } from '../../database/read/one.ts'
import type { Selection } from '../../database/read/selection.ts'
import type { Json } from '../json-writer.ts'
import type { Prepared } from './prepare.ts'

/** One row more than may be is asked for, so that the budget sees when there are too many. */
export async function readRows(
  data: TenantData,
  { entity, selection, filter, order, rows }: Prepared<'list'>,
  budget: ReadBudget,
): Promise<Json> {
  const request = { entity, selection, filter, order, limit: rows + 1 }
  const { pieces } = await readList(data, request, budget)
  const [only = ''] = pieces
  if (pieces.length <= 1 && typeof only === 'string') return `[${only}]`
  return [...pieces.flatMap((piece, index) => [index === 0 ? '[' : ',', piece]), ']']
}

/** @returns `null` when there is no such row */
export function readRow(
  data: TenantData,
  row: { entity: Entity; selection: Selection; id: string },
): Promise<string | null> {
  return readOne(data, { ...row, filter: hasId(row.entity, row.id) })
}

function hasId(entity: Entity, id: string): Filter {
  const [field] = entity.key
  if (field === undefined) throw new Error(`${entity.name} has no key.`)
  return { kind: 'compare', field, operator: 'eq', value: id }
}
