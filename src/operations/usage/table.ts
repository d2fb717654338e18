declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    tenant_usage: TenantUsageTable
  }
}

export interface TenantUsageTable {
  /** The case-folded id. Without a `tenant_id`, archives and moves leave the usage where it was. */
  tenant_key: string
  /** A day or an hour in UTC: `d2026-11-27`, `h2026-11-27T13`. */
  period: string
  requests: number
  errors: number
  sign_ins: number
}
