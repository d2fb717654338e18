/** What is said and asked of tenants' databases. */
import type { Database } from '../../database/executor.ts'

/** The state of a tenant's database. `shared`: the tenant's rows are in the catalogue database. */
export interface DatabaseState {
  kind: 'shared' | 'sqlite' | 'postgres'
  status: 'pending' | 'ready' | 'failed' | 'missing' | 'foreign' | 'stale' | 'damaged'
  message: string | null
}

/** What is wrong with a tenant's own database, as far as this process has tried to use it. */
export interface FaultyDatabase {
  tenantId: string
  fault: Exclude<DatabaseState['status'], 'pending' | 'ready'>
}

export interface DedicatedOptions {
  /** Accepts tables of features that are not in this process. */
  allowUnknownTables?: boolean
  /** If it is this tenant's own database, it has to be the one that the catalogue knows. Others are created if missing. */
  tenantId?: string
  /** Without regard to the catalogue. `existing`: it is not created. `adopted`: nor refused for its identity. */
  as?: 'existing' | 'adopted'
}

/** A use of an open database: it stays open until its release. */
export interface Lease {
  readonly database: Database
  release(): void
}
