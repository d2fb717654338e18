/** Reads one row of an entity. */
import type { TenantData } from '../data.ts'
import { scanAll } from '../scan.ts'
import { filterShape, restriction } from './filter.ts'
import type { Rows } from './indexed.ts'
import { renderBounded, rendered, unlimited } from './measure.ts'
import { addPages, pagesIn } from './relation-page.ts'
import { selectionShape } from './render.ts'
import { maxBytesOf, maxDirectBytes, type Selection } from './selection.ts'
import { statementOf } from './statement.ts'
import { StatementValues } from './values.ts'

/** @returns the row as JSON text; `null` when there is none @throws RowTooLarge */
export async function readOne(
  data: TenantData,
  { entity, selection, filter }: Omit<Rows, 'order'> & { selection: Selection },
  { time } = unlimited,
): Promise<string | null> {
  const pages = pagesIn(selection)
  const values = new StatementValues()
  addPages(pages, values)
  const shape = `one|${selectionShape(selection)}|${filterShape(filter, values)}`
  const statement = statementOf<{ json: string | null }>(
    data,
    shape,
    { entity, values, names: { selections: [selection], filter } },
    (builder) => {
      const { query, alias } = builder.rows(entity)
      return query
        .select(renderBounded(selection, alias, builder).as('json'))
        .where(restriction(filter, alias, builder))
    },
  )
  const { prepared, parameters, reusable } = statement
  const row =
    maxBytesOf(selection) <= maxDirectBytes && pages.length === 0
      ? await data.first(prepared, parameters, reusable)
      : (await scanAll(data, prepared, { parameters, time, reusable }))[0]
  return row ? rendered(row.json) : null
}
