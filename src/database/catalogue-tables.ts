/** Row types of the catalogue, which exists once for the service. */

import type { SignUpTable } from './identity-tables.ts'
import type { JobScheduleTable, OwedJobTable } from './job-tables.ts'
import type { InstanceTable, OperationTable } from './operation-tables.ts'
import type { TenantColumn } from './scope.ts'
import type { PortalSessionTable } from './webhook-tables.ts'

/**
 * The tables of the catalogue, which exists once for the installation. Features add theirs by declaration merging. A table
 * with a `TenantColumn` is one of tenants; with a column `account_id` besides, one of users.
 */
export interface CatalogueTables {
  tenant: TenantTable
  sign_up: SignUpTable
  pending_tenant: PendingTenantTable
  tenant_move: TenantMoveTable
  tenant_database: TenantDatabaseTable
  digest_key: DigestKeyTable
  encrypted_column: EncryptedColumnTable
  job_schedule: JobScheduleTable
  owed_job: OwedJobTable
  mail: MailTable
  instance: InstanceTable
  operation: OperationTable
  portal_session: PortalSessionTable
}

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

/** All tables. */
export type InstallationTables = {
  [K in keyof CatalogueTables]: CatalogueTables[K] extends OfTenant
    ? Omit<CatalogueTables[K], 'tenant_id'> & { tenant_id: string }
    : CatalogueTables[K]
}

export interface MailTable {
  id: string
  tenant_id: string
  template: string
  recipient: string
  /** The recipient folded. */
  recipient_key: string
  /** See `mailboxOf`; `null` for mails of earlier versions. */
  mailbox_key: string | null
  /** Of the recipient; `null`: that of the tenant. */
  locale: string | null
  /** Encrypted: the values of the template as JSON. `null` when it was sent, or when what it says has expired. */
  content: Uint8Array | null
  /** Whether it counts for the budgets of mails. */
  is_limited: boolean
  /** The network of the client that has caused it, if it is limited; `null` for a job, and for mails of earlier versions. */
  network: string | null
  /** PENDING, SENT, DEAD */
  status: string
  attempts: number
  /** Attempts before the last retry by an administrator. */
  attempts_before: number
  /** When it is due; during an attempt the end of its lease. */
  next_at: string | null
  lease: string | null
  error: string | null
  created_at: string
  /** When what it says, such as a link, is worth nothing any more. */
  expires_at: string | null
  sent_at: string | null
}

/** A tenant whose own database may have pending deliveries. */
export interface PendingTenantTable {
  tenant_id: string
  touched_at: string
}

/** A key of digests. A change of the master key does not affect it. */
export interface DigestKeyTable {
  purpose: string
  /** Encrypted. */
  key: Uint8Array
  created_at: string
}

/** An encrypted column of any feature that has run here. */
export interface EncryptedColumnTable {
  /** Table and column, joined by a dot. */
  name: string
  /** JSON object. */
  location: string
}

export interface TenantTable {
  id: string
  /** The id folded: unique without regard to case. */
  id_key: string
  name: string
  subdomain: string | null
  plan: string | null
  /** Encrypted. */
  connection_string: Uint8Array | null
  is_active: boolean
  created_at: string
  version: number
  /** Until then no delivery is sent for the tenant, because it is about to be moved. */
  paused_until: string | null
  /** When the erasure of the tenant began; it cannot be undone. */
  erasing_since: string | null
  /** JSON object: the number of rows of each table when writes were fenced. */
  erased_rows: string | null
}

/** A move in progress. */
export interface TenantMoveTable {
  /** The folded id. */
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
  /** The folded id. */
  tenant_key: string
  /** `null` until it is created: only then may it be created. */
  database_id: string | null
  /** At least that of its last opening by this installation. */
  generation: number
}
