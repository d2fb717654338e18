import type { ColumnSchemas } from '../core/feature/stored-table.ts'
import { Count, JsonText } from '../core/schema/stored.ts'
import { JobSummary } from './schema.ts'

const { name, status } = JobSummary.properties

export const jobColumns: ColumnSchemas = {
  queued_job: { name, status, data: JsonText(), attempts: Count, attempts_before: Count, hops: Count },
}
