/** Row types of the databases of tenants, and of moves between them. */

declare module '../database/catalogue-tables.ts' {
  interface CatalogueTables {
    tenant_move: TenantMoveTable
    tenant_database: TenantDatabaseTable
  }
}

/** A move in progress. */
export interface TenantMoveTable {
  /** The case-folded id. */
  tenant_key: string
  id: string
  /** COPYING, SWITCHED, ABANDONED */
  phase: string
  /** Encrypted connection string; `null` for the shared database. */
  source: Uint8Array | null
  /** The same. */
  target: Uint8Array | null
  started_at: string
  switched_at: string | null
}

/** What is known of a tenant's own database. Tenants from before this table have no row until it is opened. */
export interface TenantDatabaseTable {
  /** The case-folded id. */
  tenant_key: string
  /** `null` until it is created: only then may it be created. */
  database_id: string | null
  /** At least that of its last opening by this installation. */
  generation: number
}
