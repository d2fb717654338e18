import { sql } from 'kysely'
import type { Derivation } from './read-model.ts'

/** The words that a column joins by spaces, as a JSON array. No word has a character that JSON escapes. */
export function wordList(name: string): Derivation {
  return {
    columns: [name],
    value: (column) => sql`'["' || replace(${column(name)}, ' ', '","') || '"]'`,
  }
}
