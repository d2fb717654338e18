/** Bounds the rows of bulk requests that are changed at once: between them, the changes of others get their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../core/context.ts'
import { ConcurrencyLimiter } from '../../core/limits/concurrency-limiter.ts'
import type { Limit } from '../../database/limit.ts'

const maxRowsAtOnce = 16
/** Rows of one tenant at once: enough to share a commit on SQLite. On PostgreSQL, each takes a connection. */
export const rowsAtOnce = 4

export const bulkLimit: Limit = {
  name: 'rows of bulk requests that are changed at once',
  kind: 'permits',
  bounds: { instance: maxRowsAtOnce, tenant: rowsAtOnce },
  beyond: 'rows wait; tenants take turns, and the callers of each',
  page: 'api/bulk.md#cost',
}

const permits = new ConcurrencyLimiter(maxRowsAtOnce)
const total = { holder: 'instance', max: maxRowsAtOnce }

/** Does the work of one row when a permit is free. Tenants take turns. */
export async function inTurn<T>({ tenant, actor }: Context, work: () => Promise<T>): Promise<T> {
  const bounds = [total, { holder: `tenant ${tenant.id}`, max: rowsAtOnce }]
  const acquired = permits.wait(() => bounds, actor?.id ?? '')
  const release = acquired instanceof Promise ? await acquired : acquired
  try {
    await nextTurn() // requests that have arrived meanwhile go first
    return await work()
  } finally {
    release()
  }
}
