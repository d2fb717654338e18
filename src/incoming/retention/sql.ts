import type { QueueData, TenantData } from '../../database/data.ts'
import { prepare, prepareForAll } from '../../database/prepared.ts'

const tenant = prepareForAll((tables, p: { after: string }) =>
  tables
    .selectFrom('webhook_receipt')
    .select(({ fn }) => fn.min('tenant_id').as('tenantId'))
    .where('tenant_id', '>', p.after),
)

const old = prepare((tables, p: { beforeId: string; limit: number }) =>
  tables
    .selectFrom('webhook_receipt')
    .select('id')
    .where('id', '<', p.beforeId)
    .where('status', '<>', 'PENDING')
    .orderBy('id')
    .limit(p.limit),
)

/** @returns the next tenant that has receipts, `null` behind the last */
export async function tenantAfter(queue: QueueData, after: string): Promise<string | null> {
  const [row] = await queue.all(tenant, { after })
  return row?.tenantId ?? null
}

/** The oldest of those with a smaller id for which nothing is tried again. */
export async function oldReceipts(data: TenantData, beforeId: string, limit: number): Promise<string[]> {
  return (await data.all(old, { beforeId, limit })).map(({ id }) => id)
}

/** With their runs. A replay may have begun one anew in the meantime: that stays. */
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
            .whereRef('webhook_receipt.id', '=', 'webhook_run.receipt_id'),
        ),
      ),
    )
    .execute()
}
