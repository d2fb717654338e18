declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    operation: OperationTable
  }
}

/** An operation that was requested over the API. */
export interface OperationTable {
  id: string
  kind: string
  /** The id of a tenant; `null` for the installation. */
  subject_id: string | null
  /** `WAITING`, `RUNNING`, `DONE` or `FAILED`. */
  status: string
  phase: string | null
  /** How many of `total_rows` a move has copied; `null` before a move copies, and for other operations. */
  copied_rows: number | null
  total_rows: number | null
  /** The machine of the last attempt. */
  host: string | null
  /** JSON */
  result: string | null
  error: string | null
  /** The name of the user who requested the operation. */
  requested_by: string
  job_id: string
  created_at: string
  started_at: string | null
  finished_at: string | null
}
