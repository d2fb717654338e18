/** The columns of a list whose definition names none. */
import type { DescribedField } from '../../core/feature/entity-description.ts'

const maxColumns = 6
/** Longer texts are descriptions. */
const maxShortText = 200
const longWidgets: ReadonlySet<string> = new Set(['multiline', 'markdown', 'code', 'json', 'secret'])

/** The ranks of kinds of fields: the lowest tell most at a glance. */
const ranks: Partial<Record<DescribedField['kind'], number>> = {
  enum: 1,
  boolean: 1,
  reference: 2,
  date: 3,
  timestamp: 3,
  sequence: 4,
  integer: 4,
  money: 4,
  text: 6,
}
const rankOfSearched = 5

/** @param title the member by which people recognise a row */
export function defaultColumns(fields: readonly DescribedField[], title: string): string[] {
  const ranked = fields.flatMap((field) => {
    const rank = field.name === title ? 0 : rankOf(field)
    return rank === null ? [] : [{ name: field.name, rank }]
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maxColumns)
    .map(({ name }) => name)
}

/** @returns `null` for a field that lists show only if their definition names it */
function rankOf({ kind, schema, widget, isSearched, fileTypes }: DescribedField): number | null {
  if (widget !== undefined && longWidgets.has(widget.kind)) return null
  if (fileTypes.length > 0) return null
  if (kind === 'text' && lengthOf(schema) > maxShortText) return null
  if (isSearched === true) return rankOfSearched
  return ranks[kind] ?? null
}

function lengthOf(schema: unknown): number {
  return (schema as { maxLength?: number } | null)?.maxLength ?? 0 // of JSON Schema
}
