/** Clears the members of rows that name a user who was deleted. */
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { Member, Shape } from './definition.ts'
import type { Values } from './row.ts'
import type { RowStatements } from './sql.ts'
import type { EntityRows } from './write.ts'

const batchSize = 200

/** @returns `null` for an entity none of whose fields is cleared */
export function forgettingUser(
  { members }: Shape,
  statements: RowStatements,
  rows: EntityRows,
): ((context: Context, userId: string) => Promise<void>) | null {
  const cleared = members.filter(({ spec }) => spec.isCleared === true)
  if (cleared.length === 0) return null
  return async (context, userId) => {
    for (const member of cleared) await clearEach(context, userId, { member, statements, rows })
  }
}

interface ClearRequest {
  member: Member
  statements: RowStatements
  rows: EntityRows
}

/** Clears the rows in the order of their ids. A row whose hooks keep the user is skipped. */
async function clearEach(
  context: Context,
  userId: string,
  { member, statements, rows }: ClearRequest,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const ids: string[] = await statements.naming(context.data, member, {
      value: userId,
      after,
      limit: batchSize,
    })
    for (const id of ids) {
      context.signal?.throwIfAborted()
      await clear(context, id, { member, rows, userId })
    }
    after = ids.at(-1) ?? null
    if (after === null) return
  }
}

/** Thrown when the row names another user in the meantime: the row is then left as it is. */
class NamesAnother extends Error {}

async function clear(
  context: Context,
  id: string,
  { member: { name }, rows, userId }: { member: Member; rows: EntityRows; userId: string },
): Promise<void> {
  const precondition = (row: object | null) => {
    if ((row as Values | null)?.[name] !== userId) throw new NamesAnother() // a row as it is stored
  }
  try {
    await rows.change(context, id, { input: { [name]: null }, precondition })
  } catch (error) {
    const isGone = error instanceof ServiceError && error.kind === 'notFound'
    if (!isGone && !(error instanceof NamesAnother)) throw error
  }
}
