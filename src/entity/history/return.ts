/** Restores a deleted row: it is inserted again, in one transaction with its event and its audit entry. */
import { type Context, now } from '../../core/context.ts'
import { asTenant } from '../../core/create-context.ts'
import { refusal } from '../../core/errors.ts'
import type { Behaviour } from '../behaviour.ts'
import type { Member, Names } from '../definition.ts'
import { markIfUnreadable, requirePermitted, requireReach } from '../permitted.ts'
import { requireReachable } from '../reference.ts'
import { type StoredRow, toColumns } from '../row.ts'
import { changeFiles, hasFiles } from '../row-files.ts'
import { writeLists } from '../row-lists.ts'
import type { RowStatements } from '../sql.ts'
import { type Constrained, writingRow } from '../violation.ts'
import type { RestoreRequest } from '../write-request.ts'
import { changedBy, run } from '../write-steps.ts'
import { clearedUsers, findDeleted, returnedRow } from './deleted.ts'
import type { DeletedRow, RowHistory } from './row-history.ts'

interface RestoreParts extends Constrained {
  statements: RowStatements
  behaviour: Behaviour
  /** The members that name rows. */
  references: readonly Member[]
  /** Whether row rules restrict the caller. */
  isRuled: boolean
  /** @returns the row with its computed members @throws ServiceError `invalid` for one that lacks a value */
  completed(row: StoredRow): StoredRow
  record(inside: Context, event: string, row: StoredRow, restoredFrom?: number): Promise<unknown>
}

/** @throws ServiceError `notFound` for a row that is not deleted, `forbidden`, and `invalid` like a new row */
export async function returnRow(
  context: Context,
  id: string,
  { version, values = {}, precondition = null }: RestoreRequest,
  returning: RestoreParts,
): Promise<StoredRow> {
  const { names, shape, behaviour, isRuled, completed } = returning
  const { hooks, history, mayBecomeUnreadable } = behaviour
  const source = { names, shape, history }
  const found = await findDeleted(context, id, source, false) // without a lock
  // Before the transaction, because users are in the catalogue. The row names no user who was deleted since.
  const cleared = found === null ? {} : await clearedUsers(context, shape, found)
  return writingRow(context, { ...returning, isDeferred: false }, async (inside, write) => {
    requireFound(names, found) // not before: a request that is repeated has its first outcome
    const deleted = requireFound(names, await findDeleted(inside, id, source, true))
    precondition?.(null) // there is no row, and so no version
    if (isRuled) requireReach(inside.data, names)
    const change = { context: inside, input: {}, before: null }
    const started = returnedRow(shape, deleted, { ...values, ...cleared }, now(inside))
    const row = completed(await changedBy(hooks.beforeRestore, started, change))
    await write(row, () => insertAgain(inside, row, { ...returning, deleted, version }))
    await run(hooks.afterRestore, row, change)
    return mayBecomeUnreadable ? markIfUnreadable(inside.data, names, row) : row
  })
}

async function insertAgain(
  inside: Context,
  row: StoredRow,
  { deleted, version, ...returning }: RestoreParts & { deleted: DeletedRow; version: number | undefined },
): Promise<void> {
  const { names, shape, statements, references, behaviour, isRuled, record } = returning
  const history = behaviour.history as RowHistory // it has the deleted row
  await requireReachable(inside.data, references, { before: deleted.row, after: row })
  // With the authority of the tenant: a caller who may read the deleted row may restore the files that it names.
  if (hasFiles(shape)) await changeFiles(asTenant(inside), shape, { before: null, after: row })
  await statements.insert(isRuled ? asTenant(inside).data : inside.data, toColumns(shape, row), false)
  await writeLists(inside.data, statements, row, null)
  if (isRuled) await requirePermitted(inside.data, names, row.id, ['create', 'keep'])
  await history.keepRestored(inside, deleted, { after: row, restoredFrom: version })
  // Without a trash, subscribers were told that the row is gone for good: for them it is a new one.
  await record(inside, history.trashDays === null ? 'created' : 'restored', row, version)
}

function requireFound({ label }: Names, found: DeletedRow | null): DeletedRow {
  if (found === null) throw refusal('noSuch', { label })
  return found
}
