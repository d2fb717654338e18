/** Row types of files. */
import type { TenantColumn } from '../database/scope.ts'

declare module '../database/tenant-tables.ts' {
  interface TenantTables {
    file: FileTable
    stray_file: StrayFileTable
    file_usage: FileUsageTable
  }
}

export interface FileTable {
  tenant_id: TenantColumn
  id: string
  name: string
  type: string
  size: number
  sha256: string
  created_at: string
  /** Since when no known row names the file, so that the sweep may remove it; `null` while a row may name it. */
  unused_since: string | null
  /** The id of the user or API key; `null` if code of the service stored the file. */
  uploaded_by: string | null
}

export interface StrayFileTable {
  tenant_id: TenantColumn
  id: string
  since: string
}

export interface FileUsageTable {
  tenant_id: TenantColumn
  bytes: number
}
