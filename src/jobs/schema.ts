import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Timestamp, Uuid } from '../core/schema/schema.ts'

/** The maximum size of the data of a job, as JSON. */
export const maxDataBytes = 64 * 1024

export const jobStatuses = ['PENDING', 'RUNNING', 'FAILING', 'SUCCEEDED', 'DEAD'] as const
export type JobStatus = (typeof jobStatuses)[number]

const status = StringEnum(jobStatuses, {
  description:
    'PENDING: waits for its first attempt. RUNNING: an attempt is in progress. FAILING: the last attempt failed, and ' +
    'another one follows. SUCCEEDED: done. DEAD: the last attempt failed, and no other one follows',
  examples: ['FAILING'],
})

const name = Type.String({ maxLength: 100, description: 'The name of the job', examples: ['invoice.remind'] })

export const JobSummary = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the job' },
    name,
    key: Nullable(Type.String({ description: 'The key that it was enqueued with', examples: ['invoice-7'] })),
    status,
    attempts: Type.Integer({ minimum: 0, description: 'Attempts that have begun', examples: [2] }),
    error: Nullable(Type.String({ description: 'The error of the last attempt', examples: ['No reply.'] })),
    nextAttemptAt: Nullable({
      ...Timestamp,
      description: 'When the next attempt is due; `null` while one is in progress and when none follows',
    }),
    createdAt: Timestamp,
    startedAt: Nullable({ ...Timestamp, description: 'When the last attempt began' }),
    finishedAt: Nullable({ ...Timestamp, description: 'When the job ended' }),
  },
  { $id: 'Job', description: 'Work that is done in the background.' },
)

export const JobDetail = Type.Object(
  {
    ...JobSummary.properties,
    data: Type.Unknown({ description: 'What the job was enqueued with', examples: [{ invoiceId: 7 }] }),
  },
  { $id: 'JobWithData', description: 'A job with its data.' },
)

export type JobSummary = Static<typeof JobSummary>
export type JobDetail = Static<typeof JobDetail>
