import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../core/events/event-type.ts'
import { Uuid } from '../core/schema/schema.ts'

export const jobEvents = {
  'job.failed': {
    summary: 'The last attempt of a job failed.',
    access: 'admin',
    payload: Type.Object({
      jobId: Uuid,
      name: Type.String({ maxLength: 100, description: 'The name of the job', examples: ['invoice.remind'] }),
      attempts: Type.Integer({ minimum: 1, description: 'Number of attempts', examples: [6] }),
      error: Type.String({
        maxLength: 500,
        description: 'The error of the last attempt',
        examples: ['No reply.'],
      }),
    }),
  },
} satisfies EventCatalogue

declare module '../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof jobEvents> {}
}
