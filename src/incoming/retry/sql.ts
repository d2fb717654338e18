import type { QueueData, TenantData } from '../../database/data.ts'
import { prepare, prepareForAll } from '../../database/prepared.ts'
import { waitingKey } from '../../database/waiting-key.ts'

const tenants = prepareForAll((tables, p: { now: string }, dialect) =>
  tables
    .selectFrom('webhook_run')
    .select(waitingKey(dialect, 'webhook_run.tenant_id').as('tenantId'))
    .distinct()
    .where('next_at', '<=', p.now)
    .orderBy('tenantId'),
)

const due = prepare((tables, p: { tenantId: string; now: string; limit: number }, dialect) =>
  tables
    .selectFrom('webhook_run')
    .select(['id', 'receipt_id as receiptId'])
    .where(waitingKey(dialect, 'webhook_run.tenant_id'), '=', p.tenantId)
    .where('next_at', '<=', p.now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(p.limit),
)

const waiting = prepare((tables, p: { tenantId: string }, dialect) =>
  tables
    .selectFrom('webhook_run')
    .select('id')
    .where(waitingKey(dialect, 'webhook_run.tenant_id'), '=', p.tenantId)
    .where('next_at', 'is not', null)
    .limit(1),
)

export interface DueRun {
  id: string
  receiptId: string
}

/** Of all tenants whose rows are in this database. */
export async function tenantsWithDueRuns(queue: QueueData, now: string): Promise<string[]> {
  return (await queue.all(tenants, { now })).map(({ tenantId }) => tenantId)
}

/** Those that have waited longest. */
export function dueRuns(data: TenantData, now: string, limit: number): Promise<DueRun[]> {
  return data.all(due, { tenantId: data.tenantId, now, limit })
}

export async function hasWaitingRun(data: TenantData): Promise<boolean> {
  return (await data.first(waiting, { tenantId: data.tenantId })) !== null
}
