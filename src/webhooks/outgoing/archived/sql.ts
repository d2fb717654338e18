import { type SqlBool, sql } from 'kysely'
import type { TenantData } from '../../../database/data.ts'

const moment = '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z'

/** In a SQLite file: a delivery under a queue key that is not its own, or with a moment that is none. */
export async function findForeignDelivery(data: TenantData): Promise<string | null> {
  const row = await data.kysely
    .selectFrom('delivery')
    .select('id')
    .where(({ or }) =>
      or([
        sql<SqlBool>`queue NOT IN (tenant_id || '/' || subscription_id || '/first',
          tenant_id || '/' || subscription_id || '/retry', tenant_id || '/' || subscription_id || '/test')`,
        sql<SqlBool>`next_at NOT GLOB ${moment}`,
        sql<SqlBool>`queue IS NOT NULL AND next_at IS NULL`,
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
