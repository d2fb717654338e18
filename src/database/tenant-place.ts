import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * For statements in the database of the catalogue: whether it has the rows of the tenant, and no move has begun. A move
 * waits for transactions that found none: it adds triggers to the tables that they have written to.
 */
export function isServedHere(tenantId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from tenant where id = ${tenantId} and connection_string is null
    and not exists (select 1 from tenant_move where tenant_key = tenant.id_key))`
}
