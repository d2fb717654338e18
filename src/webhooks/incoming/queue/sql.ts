import { sql } from 'kysely'
import { dueMsOf } from '../../../core/queue/key-scan.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { pendingIndexKey } from '../../../database/sql-text.ts'
import { type RunRow, runColumns } from '../run/sql.ts'

/**
 * The tenants with pending runs, and when each is due. The recursion looks up the next tenant in the index, so that
 * the cost does not depend on the number of runs.
 */
const scan = prepareForAll((tables, _p: object, dialect) =>
  tables
    .withRecursive('scan(tenant)', (query) =>
      query
        .selectFrom('webhook_run')
        .select(({ fn }) =>
          fn.min<string | null>(pendingIndexKey(dialect, 'webhook_run.tenant_id')).as('tenant'),
        )
        .where('next_at', 'is not', null)
        .unionAll(
          query
            .selectFrom('scan')
            .select(({ selectFrom }) =>
              selectFrom('webhook_run')
                .select(({ fn }) => fn.min(pendingIndexKey(dialect, 'webhook_run.tenant_id')).as('tenant'))
                .where('webhook_run.next_at', 'is not', null)
                .whereRef(pendingIndexKey(dialect, 'webhook_run.tenant_id'), '>', 'scan.tenant')
                .as('tenant'),
            )
            .where('scan.tenant', 'is not', null),
        ),
    )
    .selectFrom('scan')
    .select(({ selectFrom }) => [
      sql<string>`tenant`.as('key'),
      selectFrom('webhook_run')
        .select('webhook_run.next_at')
        .whereRef(pendingIndexKey(dialect, 'webhook_run.tenant_id'), '=', 'scan.tenant')
        .where('webhook_run.next_at', 'is not', null)
        .orderBy('webhook_run.next_at')
        .limit(1)
        .as('dueAt'),
    ])
    .where('tenant', 'is not', null),
)

const due = prepare((tables, p: { tenantId: string; now: string; limit: number }, dialect) =>
  tables
    .selectFrom('webhook_run')
    .select('receipt_id as receiptId')
    .where(pendingIndexKey(dialect, 'webhook_run.tenant_id'), '=', p.tenantId)
    .where('next_at', '<=', p.now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(p.limit),
)

const dueOf = prepare((tables, p: { receiptId: string; now: string; limit: number }) =>
  tables
    .selectFrom('webhook_run')
    .select(runColumns)
    .where('receipt_id', '=', p.receiptId)
    .where('next_at', '<=', p.now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(p.limit),
)

const next = prepare((tables, p: { tenantId: string }, dialect) =>
  tables
    .selectFrom('webhook_run')
    .select('next_at as dueAt')
    .where(pendingIndexKey(dialect, 'webhook_run.tenant_id'), '=', p.tenantId)
    .where('next_at', 'is not', null)
    .orderBy('next_at')
    .limit(1),
)

/** @returns the tenants with pending runs, and when each is due, in milliseconds of Unix time */
export async function scanTenants(queue: QueueData): Promise<Map<string, number>> {
  return dueMsOf(await queue.all(scan, {}))
}

/** The receipts of due runs, longest due first. @param limit the number of runs to read */
export async function dueReceipts(data: TenantData, now: string, limit: number): Promise<string[]> {
  const rows = await data.all(due, { tenantId: data.tenantId, now, limit })
  return [...new Set(rows.map(({ receiptId }) => receiptId))]
}

/** @returns the due runs, those that are due for longest first */
export function dueRunsOf(
  data: TenantData,
  receiptId: string,
  { now, limit }: { now: string; limit: number },
): Promise<RunRow[]> {
  return data.all(dueOf, { receiptId, now, limit })
}

/** @returns when the next run of the tenant is due, in milliseconds of Unix time; `null` when none is pending */
export async function nextDueRun(data: TenantData): Promise<number | null> {
  const row = await data.first(next, { tenantId: data.tenantId })
  return row === null || row.dueAt === null ? null : Date.parse(row.dueAt)
}
