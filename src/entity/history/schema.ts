/** The schemas of replies with versions of rows and with deleted rows. */
import { type TObject, type TSchema, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../../core/schema/schema.ts'
import type { Names, Shape } from '../definition.ts'
import { maxUserName } from '../user-reference.ts'

const userName = (description: string) =>
  Nullable(Type.String({ maxLength: maxUserName, description, examples: ['ada'] }))

const who = {
  actorId: Nullable({ ...Uuid, description: 'The user or the API key who did it; `null` for the service' }),
  actorName: userName('The present name of that user; `null` for anybody else, and once the user is deleted'),
  impersonatorId: Nullable({
    ...Uuid,
    description: 'The administrator of the host tenant who acted as this user; `null` without one',
  }),
  impersonatorName: userName(
    'The present name of that administrator; `null` without one, and once the administrator is deleted',
  ),
}

const version = Type.Integer({ minimum: 1, description: 'The number of the version', examples: [2] })

const Changes = Type.Record(
  Type.String(),
  Type.Object({
    before: Type.Unknown({ description: 'The value before', examples: ['Desk'] }),
    after: Type.Unknown({ description: 'The value after', examples: ['Oak desk'] }),
  }),
  {
    description: 'The changed members, each with its value before and after',
    examples: [{ name: { before: 'Desk', after: 'Oak desk' } }],
  },
)

/** An entry in the history of a row of any entity. */
export const HistoryEntry = Type.Object(
  {
    version,
    at: { ...Timestamp, description: 'When the row got this version' },
    action: Nullable(
      Type.String({
        description:
          '`created`, `updated`, `deleted`, `restored`, or the name of an action; `null` if that is not known any more',
        examples: ['updated'],
      }),
    ),
    ...who,
    restoredFrom: Nullable(
      Type.Integer({ description: 'The version whose values were restored', examples: [null] }),
    ),
    changes: Changes,
  },
  { $id: 'HistoryEntry', description: 'A version of a row, with the change that made it.' },
)

/** Every member is optional, because the entity may have had other fields when the version was written. */
export function versionSchemaOf({ type, label }: Names, { row }: Pick<Shape, 'row'>): TObject {
  const members = Object.entries(row.properties as Record<string, TSchema>) // of an object
  return Type.Object(Object.fromEntries(members.map(([name, schema]) => [name, Type.Optional(schema)])), {
    $id: `${type}Version`,
    description: `A ${label} as it was.`,
  })
}

export function deletedSchemaOf({ type, label }: Names, row: TSchema): TObject {
  const { actorId, actorName, impersonatorId, impersonatorName } = who
  return Type.Object(
    {
      id: { ...Uuid, description: 'The id of the row; a restored row keeps it' },
      deletedAt: { ...Timestamp, description: 'When it was deleted' },
      actorId,
      actorName,
      impersonatorId,
      impersonatorName,
      version,
      row,
    },
    { $id: `Deleted${type}`, description: `A deleted ${label}.` },
  )
}

export const RestoredFields = Type.Object(
  {
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 100, examples: ['name'] }), {
        minItems: 1,
        maxItems: 200,
        description: 'The members to restore; all that the caller may change if absent',
      }),
    ),
  },
  { $id: 'RestoredFields', description: 'Which members of a version are restored.' },
)
