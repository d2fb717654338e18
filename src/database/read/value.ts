/** The value of a member: a column, or what the database derives from columns of the row. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import type { ReadField } from './read-model.ts'

/** @param alias of the table in the query */
export function memberValue(
  { column, derived }: ReadField,
  alias: string,
  dialect: Dialect,
): RawBuilder<unknown> {
  if (derived === undefined) return sql.ref(`${alias}.${column}`)
  return sql`(${derived.value((name) => sql.ref(`${alias}.${name}`), dialect)})`
}

export function columnsIn({ column, derived }: ReadField): readonly string[] {
  return derived?.columns ?? [column]
}
