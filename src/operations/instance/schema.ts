/** The schemas of an instance of the service, and of an applied migration. */
import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../../core/schema/schema.ts'

export const Instance = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the instance, which is new at each start' },
    host: Type.String({ description: 'The name of the machine', examples: ['app-1'] }),
    processId: Type.Integer({ description: 'The id of the process on that machine', examples: [4711] }),
    version: Type.String({ description: 'The version of the service', examples: ['0.2.0'] }),
    nodeVersion: Type.String({ description: 'The version of Node.js', examples: ['v24.7.0'] }),
    startedAt: Timestamp,
    lastSeenAt: { ...Timestamp, description: 'When it reported last' },
    isAlive: Type.Boolean({ description: 'Whether it reported within the last 30 seconds' }),
    isAnswering: Type.Boolean({ description: 'Whether it answers this request' }),
    clockDifferenceMs: Nullable(
      Type.Integer({
        description:
          'How far its clock is ahead of that of PostgreSQL, at least; negative when behind; `null` on SQLite',
        examples: [3],
      }),
    ),
    sharesFiles: Nullable(
      Type.Boolean({
        description:
          'Whether it keeps files where the answering instance does. If not, each lacks the files of the other: set `FILES_URL`. `null` where it is not known',
        examples: [true],
      }),
    ),
  },
  { $id: 'Instance', description: 'A process that serves.' },
)

export type Instance = Static<typeof Instance>

export const AppliedMigration = Type.Object(
  {
    name: Type.String({ description: 'Feature and number', examples: ['order-0001'] }),
    appliedAt: Timestamp,
    isKnown: Type.Boolean({ description: 'Whether the instance that answers has this migration' }),
  },
  { $id: 'AppliedMigration', description: 'A migration that has run.' },
)

export type AppliedMigration = Static<typeof AppliedMigration>
