/**
 * Checks whether row rules permit a caller to change a row. For reads, the rules are conditions of the statements.
 * The `reach` of a caller is what the rules grant; it is `null` for code, which no rule restricts.
 */
import { refusal } from '../core/errors.ts'
import { ReachedData, type TenantData } from '../database/data.ts'
import { isPermitted } from '../database/row-check.ts'
import { lockConsulted } from '../database/row-lock.ts'
import type { RowOperation } from '../database/row-rule.ts'
import type { Names } from './definition.ts'
import { isUnreadable, type StoredRow } from './row.ts'

/**
 * Called in the transaction of a change. Locks the rows that the rules consult until the transaction ends.
 * @throws ServiceError `forbidden`, naming no branch of the rule
 */
export async function requirePermitted(
  data: TenantData,
  { table, label }: Names,
  id: string,
  operations: readonly RowOperation[],
): Promise<void> {
  const { reach } = data
  if (reach === null || !reach.restricts(table)) return
  if (operations.every((operation) => reach.reachesAll(table, operation))) return
  await lockConsulted(data, reach, { table, id, operations })
  if (!(await isPermitted(data, reach, { table, id, operations }))) throw refusal('rowOutOfReach', { label })
}

/** @returns the handle for what an action does with its own row: the same, unless the action has a rule of its own */
export function actingIn(data: TenantData, { table }: Names, action: string | undefined): TenantData {
  const { reach } = data
  const acting = action === undefined ? reach : reach?.acting(table, action)
  return acting === reach || acting == null ? data : new ReachedData(data, acting, null) // `null`: it reads no rows by scans
}

/** @returns the row, marked with `isUnreadable` if its writer may not read it any more */
export async function markIfUnreadable(
  data: TenantData,
  { table }: Names,
  row: StoredRow,
): Promise<StoredRow> {
  const { reach } = data
  if (reach === null || reach.readsAll(table)) return row
  const isRead = await isPermitted(data, reach, { table, id: row.id, operations: ['read'] })
  return isRead ? row : { ...row, [isUnreadable]: true }
}

/**
 * Called before anything is done for a new row. @throws ServiceError `forbidden` if nobody with these rights may
 * create it
 */
export function requireReach({ reach }: TenantData, { table, labels }: Names): void {
  if (reach?.restricts(table) === true && !reach.mayReach(table, 'create'))
    throw refusal('nothingInReach', { labels })
}
