import { sql } from 'kysely'
import type { QueueData, TenantData } from '../../../database/data.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { pendingIndexKey } from '../../../database/sql-text.ts'
import { type RunRow, runColumns } from '../run/sql.ts'

/** From tenant to tenant by the index, whatever number of runs waits for each. */
const tenants = prepareForAll((tables, p: { now: string }, dialect) =>
  tables
    .withRecursive('walk(tenant)', (query) =>
      query
        .selectFrom('webhook_run')
        .select(({ fn }) =>
          fn.min<string | null>(pendingIndexKey(dialect, 'webhook_run.tenant_id')).as('tenant'),
        )
        .where('next_at', 'is not', null)
        .unionAll(
          query
            .selectFrom('walk')
            .select(({ selectFrom }) =>
              selectFrom('webhook_run')
                .select(({ fn }) => fn.min(pendingIndexKey(dialect, 'webhook_run.tenant_id')).as('tenant'))
                .where('webhook_run.next_at', 'is not', null)
                .whereRef(pendingIndexKey(dialect, 'webhook_run.tenant_id'), '>', 'walk.tenant')
                .as('tenant'),
            )
            .where('walk.tenant', 'is not', null),
        ),
    )
    .selectFrom('walk')
    .select(sql<string>`tenant`.as('tenantId'))
    .where('tenant', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_run')
          .select('webhook_run.id')
          .whereRef(pendingIndexKey(dialect, 'webhook_run.tenant_id'), '=', 'walk.tenant')
          .where('webhook_run.next_at', '<=', p.now),
      ),
    ),
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

const waiting = prepare((tables, p: { tenantId: string }, dialect) =>
  tables
    .selectFrom('webhook_run')
    .select('id')
    .where(pendingIndexKey(dialect, 'webhook_run.tenant_id'), '=', p.tenantId)
    .where('next_at', 'is not', null)
    .limit(1),
)

/** Of all tenants whose rows are in this database. */
export async function tenantsWithDueRuns(queue: QueueData, now: string): Promise<string[]> {
  return (await queue.all(tenants, { now })).map(({ tenantId }) => tenantId)
}

/** Of each run that is due, those that have waited longest first. */
export async function dueReceipts(data: TenantData, now: string, limit: number): Promise<string[]> {
  return (await data.all(due, { tenantId: data.tenantId, now, limit })).map(({ receiptId }) => receiptId)
}

/** Those that have waited longest. */
export function dueRunsOf(
  data: TenantData,
  receiptId: string,
  { now, limit }: { now: string; limit: number },
): Promise<RunRow[]> {
  return data.all(dueOf, { receiptId, now, limit })
}

export async function hasWaitingRun(data: TenantData): Promise<boolean> {
  return (await data.first(waiting, { tenantId: data.tenantId })) !== null
}
