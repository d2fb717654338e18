/** The row type of sequences. */
import type { TenantColumn } from '../database/scope.ts'

declare module '../database/tenant-tables.ts' {
  interface TenantTables {
    sequence: SequenceTable
  }
}

/** The last number of each sequence of the tenant. */
export interface SequenceTable {
  tenant_id: TenantColumn
  /** Table and field: `invoice.number`. */
  name: string
  last: number
}
