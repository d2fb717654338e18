/** The schemas of stored values of jobs. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../core/feature/stored-table.ts'
import { Count, JsonText } from '../core/schema/stored.ts'
import { JobSummary } from './schema.ts'

/** The user or the API key that enqueued a job which runs with its rights. */
const JobCaller = Type.String({ pattern: '^(user|apiKey):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const { name, status } = JobSummary.properties

export const jobColumns: ColumnSchemas = {
  queued_job: {
    name,
    status,
    data: JsonText(),
    caller: JobCaller,
    attempts: Count,
    attempts_before: Count,
    hops: Count,
  },
}
