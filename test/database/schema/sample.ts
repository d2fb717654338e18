/** Values of columns for tests, alike on both databases. */
import type { Column, ColumnKind } from '../../../src/database/table.ts'

export const kinds: readonly ColumnKind[] = [
  'key',
  'text',
  'integer',
  'price',
  'boolean',
  'date',
  'timestamp',
  'json',
  'id',
]

/** Kinds to which a column can change while its values stay what they are. */
export const wider: Partial<Record<ColumnKind, ColumnKind>> = {
  key: 'text',
  text: 'key',
  integer: 'price',
  date: 'key',
  json: 'text',
}

export function sampleOf(
  { kind, values }: Pick<Column, 'kind' | 'values'>,
  seed: number,
): string | number | boolean {
  const day = String((seed % 28) + 1).padStart(2, '0')
  switch (kind) {
    case 'integer':
      return seed % 5000
    case 'price':
      return (seed % 4999) + 0.25
    case 'boolean':
      return seed % 2 === 0
    case 'date':
      return `2026-02-${day}`
    case 'timestamp':
      return `2026-02-${day}T10:20:30.000Z`
    case 'json':
      return `["a;${seed}"]`
    case 'id':
      return `00000000-0000-4000-8000-${String(seed).padStart(12, '0')}`
    default:
      return values?.[seed % values.length] ?? `Straße ${seed}`
  }
}
