import { agedRows } from '../../../database/aged-rows.ts'
import type { TenantData } from '../../../database/data.ts'
import { equalByIndex } from '../../../database/json-rows.ts'

export const agedReceipts = agedRows('webhook_receipt')

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
