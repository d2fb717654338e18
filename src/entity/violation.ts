/** Turns a constraint that a written row violates into an error that names the member. */
import type { Context } from '../core/context.ts'
import { invalidField } from '../core/errors.ts'
import { inTransaction } from '../core/transaction.ts'
import type { TenantData } from '../database/data.ts'
import { ConstraintViolation, isDuplicate } from '../database/executor.ts'
import type { Behaviour } from './behaviour.ts'
import type { Member, Names, Shape } from './definition.ts'
import { brokenReference } from './reference.ts'
import type { StoredRow } from './row.ts'

export interface Constrained {
  names: Names
  shape: Shape
  unique: Behaviour['unique']
}

/** Runs the statements that write a row. @throws ServiceError `invalid` for a constraint that they violate */
export type WriteRow = (row: StoredRow, statements: () => Promise<void>) => Promise<void>

/**
 * Writes a row in a transaction.
 * @param isDeferred its statements may be sent with the COMMIT: PostgreSQL then reports violations there
 */
export async function writingRow<T>(
  context: Context,
  constrained: Constrained & { isDeferred: boolean },
  work: (inside: Context, write: WriteRow) => Promise<T>,
): Promise<T> {
  // The row whose statements the COMMIT may send.
  const sent: { row: StoredRow | null } = { row: null }
  const run = (inside: Context) =>
    work(inside, async (row, statements) => {
      try {
        await statements()
        if (constrained.isDeferred) sent.row = row
      } catch (error) {
        await explainViolation(inside.data, constrained, { row, error })
      }
    })
  try {
    return await inTransaction(context, run)
  } catch (error) {
    if (sent.row === null) throw error
    return explainViolation(context.data, constrained, { row: sent.row, error })
  }
}

/** @throws ServiceError `invalid` for a violated constraint, else the error */
async function explainViolation(
  data: TenantData,
  { names, shape, unique }: Constrained,
  { row, error }: { row: StoredRow; error: unknown },
): Promise<never> {
  if (!(error instanceof ConstraintViolation)) throw error
  const taken = violated(unique, error)
  if (taken !== null)
    throw invalidField(taken.at(-1)?.name ?? '', `is taken by another ${names.label}`, 'taken')
  if (error.rule !== 'foreignKey') throw error
  const member = await brokenReference(data, shape.members, { row, error })
  throw invalidField(member.name, `names no ${member.spec.target?.().name}`, 'notFound')
}

/**
 * @returns the members of the violated constraint; `null` for another violation. Of constraints whose columns the error
 *   names, the longest: an error that names `nickname` also contains `name`
 */
function violated(unique: Constrained['unique'], error: ConstraintViolation): readonly Member[] | null {
  const columnsOf = (members: readonly Member[]) =>
    members.map(({ column, caseFoldedColumn }) => caseFoldedColumn ?? column)
  const lengthOf = (members: readonly Member[]) => columnsOf(members).join().length
  const named = unique.filter((members) => columnsOf(members).every((column) => isDuplicate(error, column)))
  return named.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0] ?? null
}
