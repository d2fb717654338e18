/**
 * Adds a column with the text that a search has matched, if no shown column has it, so that the user sees the
 * reason.
 */
import type { EntityDescription, FieldDescription, Row } from '../describe.ts'
import { matchIn } from './search-match.ts'

export function withMatchingColumns(
  entity: EntityDescription,
  columns: readonly FieldDescription[],
  { rows, search }: { rows: readonly Row[]; search: string },
): readonly FieldDescription[] {
  if (search.trim() === '') return columns
  const has = (row: Row, { name }: FieldDescription) => matchIn(String(row[name] ?? ''), search) !== null
  const shown = [...columns]
  for (const row of rows) {
    if (shown.some((field) => has(row, field))) continue
    const matching = entity.fields.find(
      (field) => (field.isSearched ?? field.kind === 'text') && has(row, field),
    )
    if (matching !== undefined) shown.splice(1, 0, matching)
  }
  return shown
}
