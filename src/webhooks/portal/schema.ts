import { type Static, Type } from 'typebox'
import { eventPattern } from '../../core/events/event-type.ts'
import { Nullable, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'

const maxMinutes = 60

const customer = Nullable(
  Text(1, 100, {
    description: 'The customer whose subscriptions it reaches; `null` for all subscriptions of the tenant',
    examples: ['customer-7'],
  }),
)

const maxEvents = 100
const maxEventLength = 100
const maxOrigins = 10
const maxOriginLength = 255
/** The size of the list of events as JSON. */
export const maxEventsBytes = 2 + maxEvents * (maxEventLength + 3)
export const maxOriginsBytes = 2 + maxOrigins * (maxOriginLength + 3)

const event = Type.String({ maxLength: maxEventLength, pattern: eventPattern, examples: ['order.*'] })

const events = Type.Array(event, {
  maxItems: maxEvents,
  description:
    'The events that it may subscribe to. Without it: none with a `customer`, otherwise those of every user. The ' +
    'receivers get these events of the whole tenant',
  examples: [['order.*']],
})

/** One origin each, without wildcards: the list becomes a part of the header `Content-Security-Policy`. */
const origin = Type.String({
  maxLength: maxOriginLength,
  pattern: '^(https://[a-z0-9.-]+|http://(localhost|127\\.0\\.0\\.1|[a-z0-9-]+\\.localhost))(:[0-9]{1,5})?$',
  'x-reason': 'must be an origin such as https://app.example.com; http only on loopback',
  examples: ['https://app.example.com'],
})

const origins = Type.Array(origin, {
  minItems: 1,
  maxItems: maxOrigins,
  uniqueItems: true,
  description: 'The origins whose pages may embed it',
  examples: [['https://app.example.com']],
})

const readOnly = Type.Boolean({ description: 'Whether it only shows', examples: [true] })

export const PortalSessionInput = Type.Object(
  {
    customer: Type.Optional(customer),
    events: Type.Optional(events),
    readOnly: Type.Optional({ ...readOnly, default: true }),
    origins,
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxMinutes, default: 15, description: 'How long it lasts' }),
    ),
  },
  { $id: 'PortalSessionInput', description: 'A session of the embedded pages of webhooks.' },
)

const members = {
  id: { ...Uuid, description: 'The id of the session' },
  customer,
  events: Nullable({
    ...events,
    description: 'The events that it may subscribe to; `null` for those of every user',
  }),
  readOnly,
  origins,
  expiresAt: { ...Timestamp, description: 'When it ends' },
  createdAt: Timestamp,
}

export const PortalSession = Type.Object(members, {
  $id: 'PortalSession',
  description: 'A session of the embedded pages of webhooks.',
})

export const CreatedPortalSession = Type.Object(
  {
    ...members,
    url: Type.String({
      description: 'The address for an iframe. Its fragment has the token: it is a secret',
      examples: [
        'https://api.example.com/console/embed/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11#token=tnt_portal_4fT9kQ0nXb2LrVw8YzAe5HdJ3mGcPs0AbCdEfGhIjK',
      ],
    }),
  },
  { $id: 'CreatedPortalSession', description: 'A new session with the address that opens it.' },
)

export type PortalSession = Static<typeof PortalSession>
export type CreatedPortalSession = Static<typeof CreatedPortalSession>
export type PortalSessionInput = Static<typeof PortalSessionInput>
