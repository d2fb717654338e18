/** Orders by the hundred thousand: three in ten without a currency, hundreds with equal keys. */
import { inspect } from '../../support/database/inspect.ts'
import type { DatabaseName } from '../../support/databases.ts'
import type { TestService } from '../../support/service.ts'

type Ids = 'in no order' | 'as created'

const front: Record<Ids, string> = {
  'in no order': '(i * 2654435761) % 4294967296',
  'as created': 'i',
}

const id: Record<DatabaseName, (front: string) => string> = {
  sqlite: (of) => `format('%08x-0000-7000-8000-%012x', ${of}, i)`,
  postgres: (of) =>
    `cast(lpad(to_hex(${of}), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(i), 12, '0') as uuid)`,
}

const numbers: Record<DatabaseName, (count: number) => string> = {
  sqlite: (count) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n`,
  postgres: (count) => `SELECT i FROM generate_series(1::bigint, ${count}) AS i`,
}

/** The customer of one order in forty. */
export const frequentCustomer = 'customer-3'

export async function insertOrders(
  service: TestService,
  tenantId: string,
  count: number,
  ids: Ids = 'in no order',
): Promise<void> {
  const database: DatabaseName = service.config.databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres'
  const moment =
    database === 'sqlite' ? `'2026-01-31T09:30:00.000Z'` : `timestamptz '2026-01-31T09:30:00.000Z'`
  const insert = `INSERT INTO sales_order (tenant_id, id, number, customer_id, status, currency, total, created_at, updated_at, version)
    SELECT '${tenantId}', ${id[database](front[ids])}, i, 'customer-' || (i % 40),
      CASE i % 3 WHEN 0 THEN 'PENDING' WHEN 1 THEN 'PAID' ELSE 'CANCELLED' END,
      CASE WHEN i * 7 % 10 < 3 THEN NULL WHEN i % 4 = 0 THEN 'EUR' WHEN i % 4 = 1 THEN 'USD' ELSE 'CHF' END,
      i % 50, ${moment}, ${moment}, 1
    FROM (${numbers[database](count)}) AS numbers`
  await inspect(service.config.databaseUrl, insert)
  await inspect(service.config.databaseUrl, 'ANALYZE')
}
