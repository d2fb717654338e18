/** The states of tenants' databases, and the interface through which they are opened. */
import type { Database } from '../../database/executor.ts'

/**
 * The state of a tenant's database. `shared`: the tenant's rows are in the catalogue database. `foreign`: the database
 * belongs to another installation. `stale`: it was restored from a copy that is older than the catalogue expects.
 */
export interface DatabaseState {
  kind: 'shared' | 'sqlite' | 'postgres'
  status: 'pending' | 'ready' | 'failed' | 'missing' | 'foreign' | 'stale' | 'damaged'
  message: string | null
}

/** The fault of a tenant's own database, as this process has found it. */
export interface FaultyDatabase {
  tenantId: string
  fault: Exclude<DatabaseState['status'], 'pending' | 'ready'>
}

export interface DedicatedOptions {
  /** Accepts tables of features that are not in this process. */
  allowUnknownTables?: boolean
  /**
   * The tenant whose own database it has to be, as the catalogue knows it. Without it, a missing database is
   * created.
   */
  tenantId?: string
  /**
   * Opens the database whether or not the catalogue knows it. `existing`: it is not created. `adopted`: it is also
   * accepted with another identity.
   */
  as?: 'existing' | 'adopted'
}

/** A use of an open database: it stays open until its release. */
export interface Lease {
  readonly database: Database
  release(): void
}
