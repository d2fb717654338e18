/** Lists of texts as one value of a statement. */
import type { Dialect } from './executor.ts'

/** The SQL function of SQLite: whether a list has a value. */
export const isListed = 'is_listed'

/** Kept with the list: the values of an attribute are one list as long as the instance knows its user. */
const known: Record<Dialect, WeakMap<readonly string[], string>> = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
}

/** @returns an array as JSON for SQLite, and as an array of PostgreSQL (PostgreSQL manual, section 8.15.6) */
export function listText(values: readonly string[], dialect: Dialect): string {
  let text = known[dialect].get(values)
  if (text === undefined) {
    text = dialect === 'sqlite' ? JSON.stringify(values) : `{${values.map(quoted).join()}}`
    known[dialect].set(values, text)
  }
  return text
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
