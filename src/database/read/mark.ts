/**
 * Fills in values that a database does not know, such as the name of a user who is stored in another database. The
 * database renders a mark in their place, which contains the stored id. Afterwards the values of all marks of a
 * reply are read together and take the place of the marks.
 */
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import type { Completed } from './read-model.ts'
import type { Selection } from './selection.ts'

/** The beginning of each mark. It is random, so that no stored value can contain it. */
const mark = `made:${randomBytes(16).toString('hex')}:`
const marked = new RegExp(`"${mark}(\\d+):([0-9a-f]*|-)"`, 'gi')
/** What a mark contains if the stored value is NULL. */
export const ofNull = '-'

/** @param stored the value that the mark contains, as text or as bytes @returns the SQL of the mark */
export function markOf(
  stored: RawBuilder<unknown>,
  { number, isBytes }: Completed,
  dialect: Dialect,
): RawBuilder<string> {
  const prefix = sql.lit(`${mark}${number}:`)
  if (dialect === 'sqlite')
    return sql<string>`${prefix} || case when ${stored} is null then ${sql.lit(ofNull)} else hex(${stored}) end`
  const bytes = isBytes ? stored : sql`convert_to(cast(${stored} as text), 'UTF8')`
  return sql<string>`${prefix} || coalesce(encode(${bytes}, 'hex'), ${sql.lit(ofNull)})`
}

export function hasMarks(json: string | Buffer): boolean {
  return json.includes(mark)
}

/**
 * @returns the stored values in the marks, in hexadecimal digits, by the number of the function that makes their
 *   values
 */
export function marksIn(texts: readonly string[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  for (const text of texts) {
    for (const [, number = '', stored = ''] of text.matchAll(marked)) {
      const known = found.get(Number(number)) ?? new Set()
      found.set(Number(number), stored === ofNull ? known : known.add(stored.toLowerCase()))
    }
  }
  return found
}

/** @param made JSON texts by number and digits, as `marksIn` has them */
export function withValues(json: string, made: ReadonlyMap<number, ReadonlyMap<string, string>>): string {
  return json.replaceAll(
    marked,
    (_mark, number: string, digits: string) => made.get(Number(number))?.get(digits.toLowerCase()) ?? 'null',
  )
}

/** @returns the name of a selected member that is rendered as a mark; `null` if there is none */
export function markedIn(selection: Selection): string | null {
  for (const selected of selection) {
    if (selected.kind === 'field' && selected.field.completed !== undefined) return selected.field.name
    const inner = selected.kind === 'relation' ? markedIn(selected.selection) : null
    if (inner !== null) return inner
  }
  return null
}
