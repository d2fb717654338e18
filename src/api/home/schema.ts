/** The schema of what the home page of the console shows. */
import { Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../../core/schema/schema.ts'

export const maxCounted = 10_000
export const maxNeeds = 1000
export const dayCount = 14
export const maxRecent = 8

const entity = Type.String({ description: 'The name of the entity', examples: ['product'] })
const kind = (description: string, example: string) => Type.String({ description, examples: [example] })

const EntityFigures = Type.Object({
  entity,
  count: Type.Integer({
    description: `How many rows the caller reaches, ${maxCounted} at most`,
    examples: [41],
  }),
  isCapped: Type.Boolean({ description: 'Whether there are more than `count`', examples: [false] }),
  created: Nullable(
    Type.Array(Type.Integer(), {
      description: 'How many rows were created on each of `days`; `null` where counting takes too long',
      examples: [[0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3]],
    }),
  ),
  change: Nullable(
    Type.Integer({
      description: `The sum of \`created\`, less the same sum of the ${dayCount} days before`,
      examples: [2],
    }),
  ),
  figure: Nullable(
    Type.String({
      description:
        'The figure that the definition names (`console.home` in `GET /api/entities`), an exact decimal number; `null` for none, for an average of no values, and where reading it takes too long',
      examples: ['1249.5'],
    }),
  ),
})

const Waiting = Type.Object({
  kind: kind(
    'What waits: `failedDeliveries`, `failedJobs`, `failedMails`, or in the host tenant `waitingSignUps`',
    'failedDeliveries',
  ),
  count: Type.Integer({ description: `How many there are, ${maxNeeds} at most`, examples: [3] }),
  isCapped: Type.Boolean({ description: 'Whether there are more than `count`', examples: [false] }),
})

const Recent = Type.Object({
  entity,
  id: { ...Uuid, description: 'The id of the row' },
  title: Type.String({
    description: 'The value of the member by which people recognise it, as it is now',
    examples: ['Oak table'],
  }),
  action: Type.String({
    description: 'What the caller did last, as in the audit',
    examples: ['product.updated'],
  }),
  at: { ...Timestamp, description: 'When the caller did it' },
})

const StepState = Type.Object({
  kind: kind(
    'The step: `firstRow`, `secondUser`, `secondFactor`, `webhookDelivered`, `apiKeyUsed`, `brandSet`; for operators of the host also `backupMade`, `mailSent`, `publicAddress`, `secondAdministrator`',
    'secondUser',
  ),
  isDone: Type.Boolean({ description: 'Whether it is done', examples: [false] }),
  isOfHost: Type.Boolean({ description: 'Whether it concerns the installation', examples: [false] }),
})

export const Home = Type.Object(
  {
    days: Type.Array(Type.String({ format: 'date' }), {
      description: `The last ${dayCount} days in UTC, today last`,
      examples: [['2026-01-30', '2026-01-31']],
    }),
    entities: Type.Array(EntityFigures, { description: 'The entities whose rows the caller may list' }),
    leftOut: Type.Array(Type.String(), {
      description: 'Entities whose rows took too long to count',
      examples: [[]],
    }),
    needsYou: Type.Array(Waiting, {
      description: 'What waits for somebody with the permissions of the caller',
    }),
    recent: Type.Array(Recent, { description: 'The rows that the caller changed last, and still reaches' }),
    steps: Type.Array(StepState, { description: 'Steps of setting up, of which the caller may know' }),
  },
  { $id: 'Home', description: 'What the first page of a client shows.' },
)
