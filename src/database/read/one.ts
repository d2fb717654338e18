/** Reads one row of an entity. */
import type { TenantData } from '../data.ts'
import { filterShape, restriction } from './filter.ts'
import type { Rows } from './indexed.ts'
import { renderRow, selectionShape } from './render.ts'
import type { Selection } from './selection.ts'
import { statementOf } from './statement.ts'
import type { Parameter } from './value.ts'

/** @returns the object as JSON text; `null` when there is none */
export async function readOne(
  data: TenantData,
  { entity, selection, filter }: Omit<Rows, 'order'> & { selection: Selection },
): Promise<string | null> {
  const values: Parameter[] = []
  const shape = `one|${entity.name}|${selectionShape(selection)}|${filterShape(filter, values)}`
  const statement = statementOf<{ json: string }>(data.executor.dialect, shape, values, (scene) => {
    const { query, alias } = scene.rows(entity)
    return query
      .select(renderRow(selection, alias, scene).as('json'))
      .where(restriction(filter, alias, scene))
  })
  return (await data.first(statement.prepared, statement.parameters, statement.reusable))?.json ?? null
}
