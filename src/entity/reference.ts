/**
 * Checks references: finds the one that the database has refused, so that the error names the member, and refuses a
 * new reference to a row that the caller may not read.
 */
import { invalidField } from '../core/errors.ts'
import type { TenantData } from '../database/data.ts'
import type { ConstraintViolation } from '../database/executor.ts'
import { lockReferred } from '../database/row-lock.ts'
import type { Child, Member } from './definition.ts'
import type { Values } from './row.ts'

/** @returns the member with the reference that the database has refused */
export async function brokenReference(
  data: TenantData,
  members: readonly Member[],
  { row, error }: { row: Values; error: ConstraintViolation },
): Promise<Member> {
  const references = members.filter(({ name, spec }) => spec.target !== undefined && row[name] !== null)
  // PostgreSQL names the constraint, and runs nothing more in the transaction. SQLite names none. The longest column is
  // the right one: a name with `former_owner_id` also contains `owner_id`.
  const [named] = references
    .filter(({ column }) => error.target.includes(column))
    .toSorted((one, other) => other.column.length - one.column.length)
  if (named !== undefined) return named
  for (const member of references) {
    const missing = await missingIn(data, member, [row[member.name]])
    if (missing.length > 0) return member
  }
  throw error
}

/** @throws ServiceError `invalid` for a row of a list that refers to no row */
export async function requireReferences(
  data: TenantData,
  { name, members }: Child,
  rows: readonly Values[],
): Promise<void> {
  for (const member of members) {
    if (member.spec.target === undefined) continue
    const missing = await missingIn(
      data,
      member,
      rows.map((row) => row[member.name]),
    )
    if (missing.length === 0) continue
    const place = rows.findIndex((row) => missing.includes(row[member.name]))
    throw invalidField(`${name}.${place}.${member.name}`, `names no ${member.spec.target().name}`, 'notFound')
  }
}

/**
 * A foreign key also accepts rows that the caller may not read, so that row rules are checked here.
 * @throws ServiceError `invalid` for a new reference to a row that the caller may not read, as for one to no row
 */
export async function requireReachable(
  data: TenantData,
  members: readonly Member[],
  { before, after }: { before: Values | null; after: Values },
): Promise<void> {
  const { reach } = data // what the rules grant the caller; null for code
  if (reach === null) return
  for (const member of members) {
    const target = member.spec.target?.()
    const id = after[member.name]
    if (target === undefined || !reach.restricts(target.table) || id === before?.[member.name]) continue
    if (typeof id === 'string') await lockReferred(data, reach, { table: target.table, id })
    if ((await missingIn(data, member, [id])).length > 0)
      throw invalidField(member.name, `names no ${target.name}`, 'notFound')
  }
}

async function missingIn(
  { kysely }: TenantData,
  { spec }: Member,
  ids: readonly unknown[],
): Promise<unknown[]> {
  const wanted = [...new Set(ids.filter((id) => id !== null))] as string[] // ids by their schema
  if (wanted.length === 0 || spec.target === undefined) return []
  const table = spec.target().table as 'event' // typed as one table, because there is no type for any
  const found = await kysely.selectFrom(table).select('id').where('id', 'in', wanted).execute()
  const known = new Set(found.map(({ id }) => id))
  return wanted.filter((id) => !known.has(id))
}
