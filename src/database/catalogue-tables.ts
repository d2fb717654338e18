import type { TenantColumn } from './scope.ts'

/**
 * The tables of the catalogue, which exists once for the installation. Features add theirs by declaration merging. A table
 * with a `TenantColumn` is one of tenants; with a column `account_id` besides, one of users.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add theirs
export interface CatalogueTables {}

/** Tables without a tenant column whose rows belong to a row of another table (see `belongsTo`), by its name. */
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

/** The tables of a user. Only the scope writes whose a row is. */
export type UserTables = {
  [K in TablesLike<OfUser>]: CatalogueTables[K] extends OfUser
    ? Omit<CatalogueTables[K], 'account_id'> & { account_id: TenantColumn }
    : CatalogueTables[K]
}

export type InstallationTables = {
  [K in keyof CatalogueTables]: CatalogueTables[K] extends OfTenant
    ? Omit<CatalogueTables[K], 'tenant_id'> & { tenant_id: string }
    : CatalogueTables[K]
}
