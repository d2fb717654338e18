declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    instance: InstanceTable
  }
}

/** A process that serves from this catalogue. */
export interface InstanceTable {
  id: string
  host: string
  process_id: number
  version: string
  node_version: string
  /** When the process started, by the clock of the database, like `seen_at`. */
  started_at: string
  seen_at: string
  /** How far the instance's clock is from that of PostgreSQL; `null` on SQLite. */
  clock_difference_ms: number | null
  /** Equal for instances that keep files in the same place; `null` on SQLite, and for instances of earlier versions. */
  file_store: string | null
}
