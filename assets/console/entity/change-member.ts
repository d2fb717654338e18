/** Sets one member of a row. What somebody else has made of it meanwhile is not overwritten unseen. */
import { ApiError } from '../api.ts'
import type { EntityDescription, Row } from '../describe.ts'
import { changeRow, loadStored } from './rows.ts'

/** The member has another value than the user saw. */
export class MemberConflict extends Error {
  readonly stored: Row

  constructor(stored: Row) {
    super('conflict')
    this.stored = stored
  }
}

/**
 * @param seen as the user saw it: changes of its other members meanwhile are kept
 * @throws MemberConflict; ApiError
 */
export async function changeMember(
  entity: EntityDescription,
  seen: Row,
  { name, value }: { name: string; value: unknown },
): Promise<Row> {
  const attempt = async () => {
    const stored = await loadStored(entity, seen.id)
    if (!isSame(stored.row[name], seen[name])) throw new MemberConflict(stored.row)
    return (await changeRow(entity, stored, { [name]: value })).row
  }
  // Another member may change between reading and writing: then it is read again.
  return attempt().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 412) return attempt()
    throw error
  })
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
