/** Renders a list of texts as a single value of a statement. */
import type { Dialect } from './executor.ts'

/** The SQL function that this application adds to SQLite: `is_listed(list, value)` is 1 if the list has the value. */
export const isListed = 'is_listed'

/** Rendered texts by their lists. This saves work because a cached user has the same list at each request. */
const rendered: Record<Dialect, WeakMap<readonly string[], string>> = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
}

/** @returns a JSON array for SQLite, or the text of a PostgreSQL array (PostgreSQL manual, section 8.15.6) */
export function listText(values: readonly string[], dialect: Dialect): string {
  let text = rendered[dialect].get(values)
  if (text === undefined) {
    text = dialect === 'sqlite' ? JSON.stringify(values) : `{${values.map(quoted).join()}}`
    rendered[dialect].set(values, text)
  }
  return text
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
