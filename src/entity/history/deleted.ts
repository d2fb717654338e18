/** Restoring a deleted row: finds what was kept of it, and makes the row that is inserted again. */
import type { Context } from '../../core/context.ts'
import type { Names, Shape } from '../definition.ts'
import { completed, type StoredRow, type Values } from '../row.ts'
import { readsFormer } from './former-reach.ts'
import { requireAllowed } from './restore-values.ts'
import { type DeletedRow, type RowHistory, rowOfVersion } from './row-history.ts'

interface HistorySource {
  names: Names
  shape: Shape
  history: RowHistory | null
}

/** @param isLocked until the transaction ends @returns `null` if no such deleted row is readable for the caller */
export async function findDeleted(
  { data }: Context,
  id: string,
  { names, shape, history }: HistorySource,
  isLocked: boolean,
): Promise<DeletedRow | null> {
  if (history === null) return null
  const { statements } = history
  const stored = await (isLocked ? statements.lockDeleted(data, id) : statements.findDeleted(data, id))
  const row = stored && rowOfVersion(stored)
  if (stored === null || row === null) return null
  const [isRead] = await readsFormer(data, names, shape, [row])
  return isRead === true ? { stored, row } : null
}

/** Called before the transaction. @returns null for each member whose user was deleted since, if rows forget users */
export async function clearedUsers(
  { shared, tenant }: Context,
  { members }: Shape,
  { row }: Pick<DeletedRow, 'row'>,
): Promise<Values> {
  const named = members.filter(({ name, spec }) => spec.isCleared === true && typeof row[name] === 'string')
  if (named.length === 0) return {}
  const known = await shared.users.named(
    tenant.id,
    named.map(({ name }) => String(row[name])),
  )
  const gone = named.filter(({ name }) => !known.has(String(row[name])))
  return Object.fromEntries(gone.map(({ name }) => [name, null]))
}

/**
 * Members that the definition has gained since the row was deleted get their defaults.
 * @throws ServiceError `invalid` for a value that the definition does not allow any more
 */
export function returnedRow(
  shape: Shape,
  { stored, row }: DeletedRow,
  values: Values,
  moment: string,
): StoredRow {
  const wanted = { ...row, ...values }
  const lists = shape.children.map(({ name, members: own }) => {
    const rows = wanted[name]
    return [name, Array.isArray(rows) ? rows.map((each: Values) => completed(own, each)) : []] as const
  })
  const members = { ...completed(shape.members, wanted), ...Object.fromEntries(lists) }
  requireAllowed(shape, members)
  const { id, createdAt } = row
  // The version in between stands for the time in which the row was deleted.
  return { id, ...members, createdAt, updatedAt: moment, version: stored.version + 2 }
}
