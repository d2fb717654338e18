/** Does one thing with many rows. Each row is a transaction of its own, as if by its own request. */

import { validatorsOf } from '../../api/http/reply/condition.ts'
import { toServiceError } from '../../api/http/reply/error-reply.ts'
import { problemOf } from '../../api/http/reply/problem.ts'
import type { Context } from '../../core/context.ts'
import { forPart } from '../../core/create-context.ts'
import { ServiceError } from '../../core/errors.ts'
import { isLeft, type StoredRow } from '../row.ts'
import type { ChosenRow } from './choose.ts'
import { inTurn, rowsAtOnce } from './limit.ts'
import type { RowReport } from './schema.ts'

/** Rows that have not begun by then are reported as failed, so that the client gets its report. */
const maxMs = 30_000
const tooLate = 'The request has taken its time. Repeat it for this row.'

/** @returns the row as it is now; `null` for one that is gone */
export type RowWork = (context: Context, row: ChosenRow) => Promise<StoredRow | null>

export async function runEach(
  context: Context,
  rows: readonly ChosenRow[],
  work: RowWork,
): Promise<RowReport[]> {
  const reports: RowReport[] = []
  const endsMs = performance.now() + maxMs
  const left = rows.entries()
  const runLeft = async (): Promise<void> => {
    // Shared by all: each takes the next row.
    for (const [index, row] of left) {
      if (context.signal?.aborted === true) return // nobody waits for the report
      reports[index] =
        performance.now() < endsMs
          ? await inTurn(context, () => reported(context, row, work))
          : failed(row, new ServiceError('unavailable', tooLate))
    }
  }
  await Promise.all(Array.from({ length: rowsAtOnce }, runLeft))
  return reports
}

async function reported(context: Context, row: ChosenRow, work: RowWork): Promise<RowReport> {
  const { id } = row
  try {
    const now = await work(forPart(context, id), row)
    const { etag } = now === null || now[isLeft] === true ? {} : validatorsOf(now)
    return { id, status: 'done', ...(etag !== undefined && { etag }) }
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

function failed({ id }: ChosenRow, error: ServiceError): RowReport {
  return { id, status: 'failed', error: { ...problemOf(error), code: error.kind } }
}
