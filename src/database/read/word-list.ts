import { sql } from 'kysely'
import type { Derivation } from './read-model.ts'

/**
 * Derives a JSON array from a column whose text is words with spaces between them. The words must need no JSON
 * escapes.
 */
export function wordList(name: string): Derivation {
  return {
    columns: [name],
    value: (column) => sql`'["' || replace(${column(name)}, ' ', '","') || '"]'`,
  }
}
