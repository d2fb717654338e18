import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * For a statement in the catalogue's database: whether the rows of the tenant are there, and are not on their way
 * elsewhere. A move does not pass its first step before it has seen the end of whoever was told so.
 */
export function isAtHome(tenantId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from tenant where id = ${tenantId} and connection_string is null
    and not exists (select 1 from tenant_move where tenant_key = tenant.id_key))`
}
