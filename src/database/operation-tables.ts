/** Row types of the catalogue that are about the service itself. */

/** An operation that was requested over the API. */
export interface OperationTable {
  id: string
  kind: string
  /** The id of a tenant; `null` for the installation. */
  subject_id: string | null
  /** WAITING, RUNNING, DONE, FAILED */
  status: string
  phase: string | null
  /** The machine of the last attempt. */
  host: string | null
  /** JSON */
  result: string | null
  error: string | null
  /** A user name. */
  requested_by: string
  job_id: string
  created_at: string
  started_at: string | null
  finished_at: string | null
}

/** A process that serves from this catalogue. */
export interface InstanceTable {
  id: string
  host: string
  process_id: number
  version: string
  node_version: string
  /** By the clock of the database, like `seen_at`. */
  started_at: string
  seen_at: string
  /** Of the instance's clock from that of PostgreSQL; `null` on SQLite. */
  clock_difference_ms: number | null
  /** Equal for instances that keep files in the same place; `null` on SQLite, and for instances of earlier versions. */
  file_store: string | null
}
