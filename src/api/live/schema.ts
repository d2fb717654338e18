/** The schema of a request to follow lists, and its limits. */
import { type Static, Type } from 'typebox'
import { Named } from '../../core/schema/record.ts'

export const maxLists = 100
/** The largest description of a list: the bytes of its JSON. */
export const maxListBytes = 4096
/** The largest total of the descriptions of a stream, which keeps all of them in memory. */
export const maxStreamBytes = 64 * 1024

const value = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()])

const FollowedRows = Type.Object({
  entity: Type.String({
    maxLength: 100,
    description: 'The name of an entity, as the events of its rows begin',
    examples: ['product'],
  }),
  filter: Type.Optional(
    Named(
      Type.Union([value, Type.Array(value, { maxItems: 100 })]),
      { max: 100 },
      {
        maxProperties: 20,
        description: 'The filters of the list by the names of their parameters; all of them apply',
        examples: [{ 'price[gte]': 10 }],
      },
    ),
  ),
  fields: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The members of rows, separated by commas; all if absent' }),
  ),
})

const FollowedEvents = Type.Object({
  on: Type.String({
    maxLength: 100,
    description: 'The type of events to receive',
    examples: ['parcel.moved'],
  }),
})

export const LiveRequest = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 12_000,
        description:
          'Where to continue: the `id` of the last event of an earlier stream, or `Live-Cursor` of a list. From now on if absent',
      }),
    ),
    lists: Named(
      Type.Union([FollowedRows, FollowedEvents]),
      { min: 1, max: 64 },
      {
        minProperties: 1,
        maxProperties: maxLists,
        description: 'The lists to follow, by names of the client',
        examples: [{ products: { on: 'product.created' } }],
      },
    ),
  },
  { $id: 'LiveRequest', description: 'Lists whose changes are to be sent.' },
)

export type LiveRequest = Static<typeof LiveRequest>
export type FollowedRequest = LiveRequest['lists'][string]
