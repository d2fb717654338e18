import type { TenantColumn } from './scope.ts'

/**
 * The tables of the catalogue, the one database of an installation that knows all tenants. Features add their tables by
 * declaration merging. Rows of a table with a `TenantColumn` belong to tenants; with `account_id` as well, to users.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add theirs
export interface CatalogueTables {}

/** Tables without a tenant column, each with the name of the table to whose rows its rows belong (see `belongsTo`). */
// biome-ignore lint/suspicious/noEmptyInterface: features add theirs
export interface ChildTables {}

interface OfTenant {
  tenant_id: TenantColumn
}

interface OfUser extends OfTenant {
  account_id: string | null
}

type TablesLike<Shape> = {
  [K in keyof CatalogueTables]: CatalogueTables[K] extends Shape
    ? K
    : K extends keyof ChildTables
      ? TableLike<ChildTables[K], Shape, K>
      : never
}[keyof CatalogueTables]

type TableLike<Parent, Shape, K> = Parent extends keyof CatalogueTables
  ? CatalogueTables[Parent] extends Shape
    ? K
    : never
  : never

/** The tables of a tenant in the catalogue. */
export type TenantCatalogueTables = Pick<CatalogueTables, TablesLike<OfTenant>>

/** The tables of users. The scope of a statement sets `account_id`, so that a feature cannot write another user's. */
export type UserTables = {
  [K in TablesLike<OfUser>]: CatalogueTables[K] extends OfUser
    ? Omit<CatalogueTables[K], 'account_id'> & { account_id: TenantColumn }
    : CatalogueTables[K]
}

/** All tables, for statements on the rows of all tenants: they read and write `tenant_id` like any other column. */
export type InstallationTables = {
  [K in keyof CatalogueTables]: CatalogueTables[K] extends OfTenant
    ? Omit<CatalogueTables[K], 'tenant_id'> & { tenant_id: string }
    : CatalogueTables[K]
}
