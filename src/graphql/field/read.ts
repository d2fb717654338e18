/** The fields of a query, each as the JSON text of its value. */
import type { TenantData } from '../../database/data.ts'
import type { Entity } from '../../database/read/entity.ts'
import type { Filter } from '../../database/read/filter.ts'
import { readList, readOne } from '../../database/read/read.ts'
import type { Selection } from '../../database/read/selection.ts'
import { refuse } from '../error.ts'
import type { Prepared } from './prepare.ts'

export async function readRows(
  data: TenantData,
  { entity, selection, filter, order, rows }: Prepared<'list'>,
): Promise<string> {
  const list = await readList(data, { entity, selection, filter, order, limit: rows + 1 })
  if (list.count > rows) {
    throw refuse('pageSize', `More than ${rows} rows match: narrow the filter.`)
  }
  return `[${list.json ?? ''}]`
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
