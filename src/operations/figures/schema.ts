/** The schemas of an instance's live figures, and of its figures over a range of time. */
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

const PerSpan = Nullable(
  Type.Object({
    at: { ...Timestamp, description: 'When the span begins' },
    requests: Count('Requests of the instance'),
    errors: Count('Requests with the status 500 or more'),
    meanMs: Nullable(
      Type.Number({
        description: 'The mean time of the requests; `null` if there were none',
        examples: [3.5],
      }),
    ),
    p99Ms: Nullable(
      Type.Number({
        description: 'How long 99 of 100 requests took at most, by estimate; `null` if there were none',
        examples: [24.5],
      }),
    ),
    residentBytes: Type.Integer({
      description: 'The memory of the process at the ends of its minutes, at most',
      examples: [180000000],
    }),
    waiting: {
      ...Nullable(Queues),
      description: 'What waited in all tenants, at most; `null` while it could not be counted',
    },
  }),
)

/** `null` where nothing is known of the span. */
export type SpanOfFigures = Static<typeof PerSpan>

export const FigureHistory = Type.Object(
  {
    instanceId: { ...Uuid, description: 'The instance that answers: only its own requests are here' },
    host: Type.String({ description: 'The name of its machine', examples: ['app-1'] }),
    aliveInstances: Type.Integer({
      minimum: 1,
      description: 'How many instances serve, this one included. The requests of the others are not here',
      examples: [3],
    }),
    from: { ...Timestamp, description: 'When the first span begins' },
    spanSeconds: Type.Integer({ description: 'How long each span is', examples: [300] }),
    spans: Type.Array(PerSpan, {
      description: 'Oldest first; `null` where the instance did not run or its first minute has not ended',
    }),
  },
  { $id: 'FigureHistory', description: 'Figures of the instance that answers, over a range of time.' },
)

export type FigureHistory = Static<typeof FigureHistory>
