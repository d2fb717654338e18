/** Statements about a page of tenants: a number of them that does not depend on the number of tenants. */
import { sql } from 'kysely'
import type { CatalogueData } from '../../database/data.ts'
import type { Executor } from '../../database/executor.ts'
import { placeholders } from '../../database/sql-text.ts'

export interface OverviewRow {
  id: string
  id_key: string
  name: string
  subdomain: string | null
  plan: string | null
  is_active: boolean
  created_at: string
  connection_string: Uint8Array | null
  erasing_since: string | null
  moving: string | null
  users: number
}

/** In the order of their keys. @param after the key after which the page begins */
export function overviewPage(catalogue: CatalogueData, after: string, limit: number): Promise<OverviewRow[]> {
  return catalogue.kysely
    .selectFrom('tenant')
    .leftJoin('tenant_move', 'tenant_move.tenant_key', 'tenant.id_key')
    .select(({ selectFrom, fn }) => [
      ...(['tenant.id', 'id_key', 'name', 'subdomain', 'plan', 'is_active', 'created_at'] as const),
      ...(['connection_string', 'erasing_since', 'tenant_move.tenant_key as moving'] as const),
      selectFrom('account')
        .whereRef('account.tenant_id', '=', 'tenant.id')
        .select(fn.countAll<number>().as('count'))
        .$asScalar()
        .as('users'),
    ])
    .where('id_key', '>', after)
    .orderBy('id_key')
    .limit(limit)
    .$narrowType<{ users: number }>()
    .execute()
}

/** @returns the bytes of the files of these tenants in the shared database, by tenant */
export async function fileBytesOf(
  executor: Executor,
  tenants: readonly string[],
): Promise<Map<string, number>> {
  if (tenants.length === 0) return new Map()
  const list = tenants.map((_each, index) => placeholders(executor.dialect)(index + 1))
  const text = `SELECT tenant_id, bytes FROM file_usage WHERE tenant_id IN (${list})`
  const { rows } = await executor.run(text, [...tenants], false)
  return new Map(rows.map(({ tenant_id, bytes }) => [String(tenant_id), Number(bytes)]))
}

/** @param names of databases of the server @returns their sizes in bytes, as far as this user may connect to them */
export async function databaseBytesOf(
  { kysely }: CatalogueData,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<{ name: string; bytes: string }>`
    SELECT datname AS name, pg_database_size(oid) AS bytes FROM pg_database
    WHERE datname IN (${sql.join(names)}) AND has_database_privilege(oid, 'CONNECT')`.execute(kysely)
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
