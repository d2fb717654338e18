import { type Static, Type } from 'typebox'
import type { EventAccess } from './event-type.ts'

const type = Type.String({
  maxLength: 100,
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+$',
  description: 'A noun and a verb in the past tense; not a type of the catalogue',
  examples: ['parcel.shipped'],
})

const data = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'The data of the event, at most 256 KiB; receivers get its values unchanged',
    examples: [{ parcelId: 'p-1', carrier: 'Northern Post' }],
  },
)

/** An event of an application's own. */
export const EventInput = Type.Object(
  { type, data },
  { $id: 'EventInput', description: 'An event of an application’s own.' },
)

export const PublishedEvent = Type.Object(
  {
    id: Type.String({
      description: 'The id of the event; its deliveries carry it as `X-Webhook-Id`',
      examples: ['evt_00k68qxz2s9kg5an5z1tpnpcgh'],
    }),
  },
  { $id: 'PublishedEvent', description: 'An event that was accepted.' },
)

const anySchema = Type.Object({}, { additionalProperties: true, description: 'A JSON Schema' })

export const DescribedEventType = Type.Object(
  {
    type: Type.String({ description: 'The name to subscribe to', examples: ['order.created'] }),
    summary: Type.String({
      description: 'What has happened, in one sentence',
      examples: ['An order was placed.'],
    }),
    access: Type.Unsafe<EventAccess>({
      type: 'string',
      description:
        'Who may see such events: `user`, every user of the tenant; `admin`, its administrators; otherwise those who ' +
        'have the permission',
      examples: ['order:read'],
    }),
    isByRow: Type.Optional(
      Type.Boolean({
        description:
          'Rules of rows decide which of the events are seen, but for holders of the permission for all rows',
        examples: [true],
      }),
    ),
    schema: { ...anySchema, description: 'The JSON Schema of `data`', examples: [{ type: 'object' }] },
    example: { ...anySchema, description: 'An example of `data`', examples: [{}] },
  },
  { $id: 'EventType', description: 'A type of events that a feature publishes.' },
)

export type EventInput = Static<typeof EventInput>
export type DescribedEventType = Static<typeof DescribedEventType>
export type PublishedEvent = Static<typeof PublishedEvent>
