/** Sets one member of a row. If somebody else has changed that member meanwhile, it is not overwritten. */
import { ApiError } from '../api.ts'
import type { EntityDescription, Row } from '../describe.ts'
import { changeRow, loadStored, type StoredRow } from './rows.ts'

/** Thrown if the member has another value than the one that the user saw. */
export class MemberConflict extends Error {
  readonly stored: Row

  constructor(stored: Row) {
    super('conflict')
    this.stored = stored
  }
}

/**
 * @param seen the row as the user saw it, with its tag if it is the reply to a change; changes of its other members
 *   by somebody else are kept
 * @throws MemberConflict; ApiError
 */
export async function changeMember(
  entity: EntityDescription,
  seen: StoredRow,
  { name, value }: { name: string; value: unknown },
): Promise<StoredRow> {
  const attempt = async () => {
    const stored = await loadStored(entity, seen.row.id)
    if (!isSame(stored.row[name], seen.row[name])) throw new MemberConflict(stored.row)
    return changeRow(entity, stored, { [name]: value })
  }
  const first = seen.etag === null ? attempt() : changeRow(entity, seen, { [name]: value })
  // Another member may change between reading and writing: then the row is read again.
  return first.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 412) return attempt()
    throw error
  })
}

/** Whether both have the same JSON. An absent member is the same as one that is `null`. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
