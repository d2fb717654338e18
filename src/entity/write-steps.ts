/** The steps that a definition adds to the change of a row: hooks, and the state that an action requires. */
import type { Context } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import type { Hook, HookChange } from './behaviour.ts'
import type { Names } from './definition.ts'
import type { StoredRow, Values } from './row.ts'

/** Whether nothing follows the write of a row but its event and the commit. */
export function isLast({ transaction }: Context, after: Hook | undefined): boolean {
  return transaction === null && after === undefined
}

/** @returns the row with the members that the hook changes */
export async function changedBy<T extends StoredRow>(
  hook: Hook | undefined,
  row: T,
  change: HookChange,
): Promise<T> {
  return hook === undefined ? row : { ...row, ...(await run(hook, row, change)) }
}

export async function run(hook: Hook | undefined, row: StoredRow, change: HookChange): Promise<Values> {
  const members = await hook?.(row as never, change as never) // typed by the entity
  return (members ?? {}) as Values // typed by the entity
}

/** @throws ServiceError `invalid` for a row that is in another state */
export function requireState(
  { label }: Names,
  row: StoredRow,
  { from, event, reads }: { from: Values; event: string; reads: (member: string) => boolean },
): void {
  for (const [name, value] of Object.entries(from)) {
    const allowed = [value].flat()
    if (allowed.includes(row[name])) continue
    if (!reads(name)) throw refusal('wrongState', { label, event })
    throw refusal('otherState', { label, state: String(row[name]), event, allowed: allowed.join(' or ') })
  }
}
