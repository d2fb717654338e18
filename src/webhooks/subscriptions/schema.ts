import { type Static, Type } from 'typebox'
import { eventPattern } from '../../core/events/event-type.ts'
import { Owner } from '../../core/schema/owner.ts'
import { Named } from '../../core/schema/record.ts'
import { Nullable, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { maxHeaderLength, maxHeaders } from './header.ts'

const url = Text(1, 2048, {
  description:
    'https. In development also http to a loopback address, while the service itself listens only on loopback',
  examples: ['https://example.com/hooks'],
})
const event = Type.String({
  maxLength: 100,
  pattern: eventPattern,
  'x-reason': 'must be a name of two words or more (order.created), all of a noun (order.*), or *',
  examples: ['order.*'],
})
const events = Type.Array(event, {
  minItems: 1,
  maxItems: 100,
  description: 'Names of events, all events of a noun (`order.*`), or all events (`*`)',
  examples: [['order.created', 'product.*']],
})
const customer = Nullable(
  Text(1, 100, {
    description: 'The customer of the tenant whom it belongs to; `null` for the tenant itself',
    examples: ['customer-7'],
  }),
)
export const Secret = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Signs deliveries: its UTF-8 bytes are the key. Generated when omitted',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
})
const headers = Named(
  Type.String({ maxLength: maxHeaderLength }),
  { max: maxHeaderLength }, // `readHeaders` checks that HTTP allows the names
  {
    maxProperties: maxHeaders,
    description: 'Sent with each delivery. Replies mask the values. The value `****` keeps the stored value',
    examples: [{ Authorization: 'Bearer 4f9c1d2e' }],
  },
)
const maskedHeaders = { ...headers, examples: [{ Authorization: '****' }] }
const retrySeconds = Nullable(
  Type.Array(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    maxItems: 5, // the sixth attempt is the last
    description: 'Seconds from each failed attempt to the next; `null` for the schedule of the service',
    examples: [[5, 15, 60, 300, 900]],
  }),
)

export const Subscription = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    url,
    events,
    customer,
    owner: Owner('Who chose the events, of which those are sent whose rows the owner may read'),
    unknownEvents: Type.Array(Type.String({ maxLength: 100 }), {
      description:
        'Names in `events` that no feature declares: misspelt ones, or events that incoming webhooks publish',
      examples: [[]],
    }),
    secret: Type.String({
      description: 'Shown in the reply to the creation or a rotation, and masked in all others',
      examples: ['whsec_****LaSw'],
    }),
    isActive: Type.Boolean({
      description: '`false` while the subscription is paused, or after the service has deactivated it',
    }),
    headers: maskedHeaders,
    retrySeconds,
    deactivatedAt: Nullable({
      ...Timestamp,
      description: 'When the service deactivated the subscription',
      examples: [null],
    }),
    deactivationReason: Nullable(
      Type.String({ description: 'Why the service deactivated the subscription', examples: [null] }),
    ),
    successCount: Type.Integer({ description: 'Attempts that succeeded', examples: [42] }),
    failureCount: Type.Integer({ description: 'Attempts that failed', examples: [1] }),
    lastSuccessAt: Nullable({ ...Timestamp, description: 'When an attempt last succeeded' }),
    lastFailureAt: Nullable({ ...Timestamp, description: 'When an attempt last failed' }),
    failingSince: Nullable({
      ...Timestamp,
      description: 'The first failure since the last success',
      examples: [null],
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    $id: 'Subscription',
    description: 'The events to send to a receiver, and the health of their deliveries.',
  },
)

export const SubscriptionInput = Type.Object(
  {
    url,
    events,
    customer: Type.Optional(customer),
    secret: Type.Optional(Nullable(Secret)),
    headers: Type.Optional(headers),
    retrySeconds: Type.Optional(retrySeconds),
  },
  { $id: 'SubscriptionInput', description: 'The events to send to a receiver.' },
)

export const SubscriptionUpdate = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    customer: Type.Optional(customer),
    isActive: Type.Optional(
      Type.Boolean({
        description: '`false` pauses, `true` resumes, also after a deactivation by the service',
      }),
    ),
    headers: Type.Optional(headers),
    retrySeconds: Type.Optional(retrySeconds),
  },
  { $id: 'SubscriptionUpdate', description: 'Omitted members stay unchanged.' },
)

export const SecretRotation = Type.Object(
  {
    secret: Type.Optional(Nullable(Secret)),
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'How long the former secrets continue to sign beside the new one; 0 ends them at once',
      }),
    ),
  },
  { $id: 'SecretRotation', description: 'The next secret, and how long the former ones continue to sign.' },
)

export type Subscription = Static<typeof Subscription>
export type SubscriptionInput = Static<typeof SubscriptionInput>
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>
export type SecretRotation = Static<typeof SecretRotation>

/** A subscription with its version, which is not shown. A change increases the version; a delivery does not. */
export interface StoredSubscription extends Subscription {
  version: number
}
