import { type Static, Type } from 'typebox'
import { PageQuery } from '../../../core/page.ts'
import { Moment, Nullable, StringEnum, Timestamp, Uuid } from '../../../core/schema/schema.ts'

const eventType = Type.String({
  maxLength: 100,
  description: 'The type of the event',
  examples: ['order.created'],
})

const statuses = ['PENDING', 'SENDING', 'SUCCEEDED', 'DEAD', 'KEPT'] as const

const status = StringEnum(statuses, {
  description:
    'PENDING: waits for the next attempt. SENDING: an attempt is in progress. DEAD: the last attempt failed. KEPT: ' +
    'not sent, because the subscription was deactivated, its owner was gone, or the owner could not see the event any ' +
    'more; waits for a recovery',
  examples: ['SUCCEEDED'],
})

export const Delivery = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the delivery' },
    subscriptionId: { ...Uuid, description: 'The subscription that receives the event' },
    eventId: Type.String({
      maxLength: 40,
      description: 'The id of the event, as in `X-Webhook-Id`',
      examples: ['evt_01k7301p5t8q2rb9tqxvz0m3yd'],
    }),
    eventType,
    kind: Type.String({
      maxLength: 20,
      description: 'EVENT, or REPLAY or TEST for one that a user has requested',
      examples: ['EVENT'],
    }),
    status,
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts', examples: [1] }),
    nextAttemptAt: Nullable({
      ...Timestamp,
      description: 'When the next attempt is made; `null` for none',
      examples: [null],
    }),
    createdAt: Timestamp,
    finishedAt: Nullable({ ...Timestamp, description: 'When the delivery succeeded, died or was kept' }),
    reason: Nullable(
      Type.String({
        maxLength: 40,
        description: 'Why the delivery is dead or kept: `deactivated`, `ownerGone`, `forbidden`',
        examples: [null],
      }),
    ),
  },
  { $id: 'Delivery', description: 'An event that is sent to a subscription.' },
)

const headers = Type.Record(Type.String(), Type.String())

export const Attempt = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the attempt' },
    number: Type.Integer({
      minimum: 1,
      description: 'The number of the attempt within the delivery',
      examples: [1],
    }),
    startedAt: Timestamp,
    durationMs: Type.Integer({ minimum: 0, description: 'The duration in milliseconds', examples: [42] }),
    outcome: Type.String({ description: '`success` or `failure`', examples: ['success'] }),
    errorClass: Nullable(
      Type.String({
        description:
          'timeout, dns, refusedAddress, tls, connect, reset, protocol, redirect, status or secret. refusedAddress: the ' +
          'address is private, reserved or loopback, and not in a network of WEBHOOK_ALLOWED_NETWORKS. secret: the ' +
          'secrets of the subscription cannot be decrypted, and nothing was sent',
        examples: [null],
      }),
    ),
    status: Nullable(
      Type.Integer({ description: 'The status of the response, if there was one', examples: [200] }),
    ),
    requestHeaders: {
      ...headers,
      description: 'As sent. Values of headers of the subscription are masked',
      examples: [{ 'Content-Type': 'application/json' }],
    },
    responseHeaders: {
      ...headers,
      description: 'The headers of the response',
      examples: [{ 'content-length': '2' }],
    },
    responseExcerpt: Type.String({ description: 'The first 16 KiB of the response', examples: ['ok'] }),
  },
  { $id: 'Attempt', description: 'One attempt to send a delivery.' },
)

export const DeliveryWithAttempts = Type.Object(
  {
    ...Delivery.properties,
    event: Type.Object(
      {
        id: Delivery.properties.eventId,
        type: eventType,
        createdAt: Timestamp,
        data: Type.Unknown({
          description: 'The payload',
          examples: [{ orderId: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' }],
        }),
      },
      { description: 'The event that the delivery sends' },
    ),
    attemptLog: Type.Array(Attempt, { description: 'In chronological order' }),
  },
  { $id: 'DeliveryWithAttempts', description: 'A delivery with its event and every attempt.' },
)

export const Recovery = Type.Object(
  {
    since: Moment('Deliveries created at this time or later'),
    until: Type.Optional(Moment('Deliveries created before this time')),
    cursor: Type.Optional({ ...PageQuery.cursor, description: '`next` of the previous reply' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only counts the deliveries', default: false })),
  },
  {
    $id: 'Recovery',
    description: 'Which deliveries to send again.',
    examples: [{ since: '2026-01-02T03:04:05.000Z', dryRun: true }],
  },
)

export const RecoveryReport = Type.Object(
  {
    deliveries: Type.Integer({
      minimum: 0,
      description: 'The number of deliveries that are sent again',
      examples: [12],
    }),
    dryRun: Type.Boolean({ description: 'Whether the deliveries were only counted' }),
    next: Nullable(
      Type.String({
        description: 'The `cursor` of the request that continues; `null` when no delivery is left',
        examples: [null],
      }),
    ),
  },
  { $id: 'RecoveryReport', description: 'The result of a recovery.' },
)

export type Delivery = Static<typeof Delivery>
export type Attempt = Static<typeof Attempt>
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>
export type Recovery = Static<typeof Recovery>
export type RecoveryReport = Static<typeof RecoveryReport>
