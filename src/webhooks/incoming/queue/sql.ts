/** Finds pending runs: of all tenants, and those of one tenant that are due. */
import { scanPages } from '../../../core/queue/key-scan.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import { indexKeys, scannedKey } from '../../../database/index-keys.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { pendingIndexKey } from '../../../database/sql-text.ts'
import { type RunRow, runColumns } from '../run/sql.ts'

const scan = prepareForAll((tables, p: { after: string; limit: number }, dialect) => {
  const rows = tables.selectFrom('webhook_run').where('next_at', 'is not', null)
  const key = pendingIndexKey(dialect, 'webhook_run.tenant_id')
  const first = rows.select('next_at').where(key, '=', scannedKey).orderBy('next_at').limit(1)
  return indexKeys(tables, { rows, key, range: p }).select(first.as('dueAt'))
})

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
export function scanTenants(queue: QueueData): Promise<Map<string, number>> {
  return scanPages((range) => queue.all(scan, range))
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
