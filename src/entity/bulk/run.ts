/**
 * Does one thing with many rows. Each row is a transaction of its own, as if by its own request. A dry run tries all of
 * them in one transaction that is rolled back.
 */

import { validatorsOf } from '../../api/http/reply/condition.ts'
import { toServiceError } from '../../api/http/reply/error-reply.ts'
import { problemOf } from '../../api/http/reply/problem.ts'
import type { Context } from '../../core/context.ts'
import { forPart, withoutKey } from '../../core/create-context.ts'
import { defined } from '../../core/defined.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
import { inTransaction } from '../../core/transaction.ts'
import { inSavepoint } from '../../database/savepoint.ts'
import { TimeSlice } from '../../database/time-slice.ts'
import { isUnreadable, type StoredRow } from '../row.ts'
import { inTurn, rowsAtOnce } from './limit.ts'
import type { RowReport } from './schema.ts'

/** Rows whose turn has not come after this time are reported as failed, so that the client gets its report. */
const maxMs = 30_000
/** How long a dry run may take. On SQLite all other writes wait for its transaction. */
const maxDryMs = { sqlite: 500, postgres: 3000 }

/** A row of a bulk request. */
export interface BulkRow {
  /** `null` for a new row. */
  id: string | null
  /** Tells the rows of a request apart: each is done once for the Idempotency-Key of the request. */
  part: string
}

/** @returns the row as it is now; `null` for one that is gone */
export type RowWork<R> = (context: Context, row: R) => Promise<StoredRow | null>

export async function runEach<R extends BulkRow>(
  context: Context,
  rows: readonly R[],
  work: RowWork<R>,
): Promise<RowReport[]> {
  const reports: RowReport[] = []
  const endsMs = performance.now() + maxMs
  const remaining = rows.entries()
  const runRemaining = async (): Promise<void> => {
    // Shared by all: each takes the next row.
    for (const [index, row] of remaining) {
      if (context.signal?.aborted === true) return // nobody waits for the report
      reports[index] =
        performance.now() < endsMs
          ? await inTurn(context, () => reported(context, row, work))
          : failed(row, refusal('rowTimedOut'))
    }
  }
  // New rows are created one after the other: of two rows with the same unique value, the first is created.
  const atOnce = rows[0]?.id === null ? 1 : rowsAtOnce
  await Promise.all(Array.from({ length: atOnce }, runRemaining))
  return reports
}

/**
 * Tries the rows one after the other, so that each meets what those before it would have done. Nothing is stored, and
 * no event is published.
 */
export async function tryEach<R extends BulkRow>(
  context: Context,
  rows: readonly R[],
  work: RowWork<R>,
): Promise<RowReport[]> {
  const undone = new Undone()
  let reports: RowReport[] = []
  const tried = inTurn(context, () =>
    inTransaction(withoutKey(context), async (inside) => {
      const { transaction } = inside
      if (transaction === null) throw new Error('A dry run is outside a transaction.')
      const part: RowWork<R> = (of, row) => inSavepoint(transaction, () => work(of, row))
      const endsMs = performance.now() + maxDryMs[inside.data.executor.dialect]
      const slice = new TimeSlice()
      reports = [] // a transaction that is repeated begins again
      for (const row of rows) {
        await slice.pause() // SQLite answers at once: others would get no turn
        reports.push(
          performance.now() < endsMs
            ? withoutTrace(row, await reported(inside, row, part))
            : failed(row, refusal('rowTimedOut')),
        )
      }
      throw undone
    }),
  )
  await tried.catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return reports
}

/** Rolls a transaction back. */
class Undone extends Error {}

/** Leaves out the id of a new row, and new tags, because nothing of them was stored. */
function withoutTrace({ id }: BulkRow, { status, error }: RowReport): RowReport {
  return defined({ id: id ?? undefined, status, error })
}

async function reported<R extends BulkRow>(context: Context, row: R, work: RowWork<R>): Promise<RowReport> {
  try {
    const now = await work(forPart(context, row.part), row)
    const { etag } = now === null || now[isUnreadable] === true ? {} : validatorsOf(now)
    return defined({ id: row.id ?? now?.id, status: 'done' as const, etag })
  } catch (error) {
    const known = toServiceError(error, context.requestId)
    if (known.status >= 500 && known.kind !== 'overloaded') report(context, error, known)
    return failed(row, known)
  }
}

function report({ shared, tenant, requestId }: Context, error: unknown, known: ServiceError): void {
  const database = tenant.hasOwnDatabase ? tenant.id : ''
  shared.failures.report(error, known, database, { requestId, tenantId: tenant.id })
}

function failed({ id }: BulkRow, error: ServiceError): RowReport {
  return defined({ id: id ?? undefined, status: 'failed' as const, error: problemOf(error) })
}
