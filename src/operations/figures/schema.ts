import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../../core/schema/schema.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })

const Queues = Type.Object({
  deliveries: Count('Deliveries of webhooks'),
  jobs: Count('Jobs'),
  mails: Count('Mails'),
})

export const Figures = Type.Object(
  {
    instanceId: { ...Uuid, description: 'The instance that answers: its requests are counted' },
    at: { ...Timestamp, description: 'When the figures were read' },
    requests: Type.Object(
      {
        errors: Count('Requests since the start with the status 500 or more'),
        seconds: Type.Number({ description: 'The time of all requests since the start', examples: [1.25] }),
        buckets: Type.Array(
          Type.Object({
            upToSeconds: Nullable(
              Type.Number({ description: 'The bound; `null` for the last', examples: [0.01] }),
            ),
            count: Count('Requests up to this bound, and above the one before'),
          }),
          { description: 'Requests since the start, by their time' },
        ),
      },
      { description: 'The requests of the instance' },
    ),
    notReady: Nullable(
      Type.String({
        description: 'Why `/health/ready` of the instance answers 503; `null` while it is ready',
        examples: ['PostgreSQL cannot be reached.'],
      }),
    ),
    residentBytes: Type.Integer({ description: 'The memory of the process', examples: [180000000] }),
    waiting: { ...Queues, description: 'What waits, in all tenants' },
    dead: { ...Queues, description: 'What has failed for good, in all tenants' },
  },
  { $id: 'Figures', description: 'A few figures of the instance that answers, and of the queues.' },
)

export type Figures = Static<typeof Figures>
