import type { BatchStart } from '../../../core/retention.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import { equalByIndex } from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'

const tenant = prepareForAll((tables, p: { after: string }) =>
  tables
    .selectFrom('webhook_receipt')
    .select(({ fn }) => fn.min('tenant_id').as('tenantId'))
    .where('tenant_id', '>', p.after),
)

const nextReceipts = prepare((tables, p: BatchStart) =>
  tables
    .selectFrom('webhook_receipt')
    .select('id')
    .where('id', '>', p.after)
    .where('id', '<', p.beforeId)
    .orderBy('id')
    .limit(p.rows),
)

/** @returns the next tenant that has receipts, `null` after the last */
export async function tenantAfter(queue: QueueData, after: string): Promise<string | null> {
  const [row] = await queue.all(tenant, { after })
  return row?.tenantId ?? null
}

/** @returns the ids of the next rows */
export async function receiptsAfter(data: TenantData, start: BatchStart): Promise<string[]> {
  return (await data.all(nextReceipts, start)).map(({ id }) => id)
}

/** Removes receipts with their runs, except those that have a pending run. */
export async function deleteReceipts(data: TenantData, ids: readonly string[]): Promise<void> {
  await data.kysely
    .deleteFrom('webhook_receipt')
    .where('id', 'in', [...ids])
    .where('status', '<>', 'PENDING')
    .execute()
  await data.kysely
    .deleteFrom('webhook_run')
    .where('receipt_id', 'in', [...ids])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_receipt')
            .select('webhook_receipt.id')
            .where(equalByIndex(data.executor.dialect, 'webhook_receipt.id', 'webhook_run.receipt_id')),
        ),
      ),
    )
    .execute()
}
