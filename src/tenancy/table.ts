/** The catalogue's tables about tenants' own databases, and about moves of tenants between databases. */

declare module '../database/catalogue-tables.ts' {
  interface CatalogueTables {
    tenant_move: TenantMoveTable
    tenant_database: TenantDatabaseTable
  }
}

/** A move of a tenant to another database that is not finished. */
export interface TenantMoveTable {
  /** The case-folded id of the tenant. */
  tenant_key: string
  id: string
  /** `COPYING`, `SWITCHED` or `ABANDONED`. */
  phase: string
  /** The encrypted connection string of the database that the tenant leaves; `null` for the shared database. */
  source: Uint8Array | null
  /** The encrypted connection string of the database that the tenant gets; `null` for the shared database. */
  target: Uint8Array | null
  started_at: string
  switched_at: string | null
}

/** The identity of a tenant's own database. An older tenant has no row until its database is opened. */
export interface TenantDatabaseTable {
  /** The case-folded id of the tenant. */
  tenant_key: string
  /** `null` until the database is created. A database that has an id is never created again. */
  database_id: string | null
  /** Grows with each opening and closing. A database with a lower generation is an old copy, and is refused. */
  generation: number
}
