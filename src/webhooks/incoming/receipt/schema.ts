import { type Static, Type } from 'typebox'
import { PageQuery } from '../../../core/page.ts'
import { Moment, Nullable, Timestamp, Uuid } from '../../../core/schema/schema.ts'
import { maxProviderLength } from '../provider/schema.ts'
import { schemeNames } from '../signature/scheme.ts'

/** The states of a run, and of its receipt. */
export const runStatuses = ['SUCCEEDED', 'PENDING', 'DEAD', 'UNHANDLED', 'REPLACED'] as const
export type RunStatus = (typeof runStatuses)[number]

export const receiptStatuses = ['SUCCEEDED', 'PENDING', 'DEAD', 'UNHANDLED', 'UNMATCHED', 'LOOPED'] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

const status = Type.Unsafe<ReceiptStatus>({
  type: 'string',
  enum: receiptStatuses,
  description:
    'PENDING has an action that waits for its turn or a retry, DEAD one that has had its last attempt, ' +
    'UNHANDLED one that does not exist; SUCCEEDED: all of them have; UNMATCHED: no rule was for it; LOOPED: it came ' +
    'back to us too often, or its rules would have run too much',
  examples: ['SUCCEEDED'],
})

export const Receipt = Type.Object(
  {
    id: { ...Uuid, description: 'Of the receipt' },
    provider: Type.String({ description: 'Who sent it', examples: ['stripe'] }),
    eventId: Nullable(Type.String({ description: 'The id that the provider gave it', examples: ['evt_1'] })),
    eventType: Nullable(
      Type.String({ description: 'As the provider names it', examples: ['payment_intent.succeeded'] }),
    ),
    status,
    hops: Type.Integer({
      minimum: 0,
      description: 'How many webhooks of this service have led to it',
      examples: [0],
    }),
    receivedAt: Timestamp,
  },
  { $id: 'WebhookReceipt', description: 'A webhook that was received and verified.' },
)

const run = Type.Object(
  {
    id: { ...Uuid, description: 'Of the run' },
    ruleId: { ...Uuid, description: 'Its rule, which may have been deleted since' },
    action: Type.String({ description: 'The action', examples: ['order.pay'] }),
    status: Type.Unsafe<RunStatus>({
      type: 'string',
      enum: runStatuses,
      description: 'REPLACED: a replay has begun it again',
      examples: ['SUCCEEDED'],
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts', examples: [1] }),
    error: Nullable(Type.String({ description: 'Of the last attempt', examples: [null] })),
    nextAttemptAt: Nullable({
      ...Timestamp,
      description: 'When the next attempt is made; `null` for none',
      examples: [null],
    }),
    startedAt: Timestamp,
    finishedAt: Nullable({ ...Timestamp, description: 'When it ended' }),
  },
  { $id: 'WebhookRun', description: 'An action that a rule has run for a webhook.' },
)

export const ReceiptWithRuns = Type.Object(
  {
    ...Receipt.properties,
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'As received; credentials are masked',
      examples: [{ 'content-type': 'application/json' }],
    }),
    body: Type.String({
      description: 'As received',
      examples: ['{"id":"evt_1","type":"payment_intent.succeeded"}'],
    }),
    bodyEncoding: Type.Unsafe<'utf8' | 'base64'>({
      type: 'string',
      enum: ['utf8', 'base64'],
      description: 'base64 for a body that is not UTF-8 text',
      examples: ['utf8'],
    }),
    verification: Type.Object(
      {
        verified: Type.Boolean({
          description: 'Messages that do not verify are not stored',
          examples: [true],
        }),
        scheme: Type.String({ enum: schemeNames, description: 'How it was signed', examples: ['stripe'] }),
        secret: Type.Unsafe<'current' | 'former'>({
          type: 'string',
          enum: ['current', 'former'],
          description: 'Which of the two secrets had signed, when it was received',
          examples: ['current'],
        }),
      },
      { description: 'How it was verified' },
    ),
    runs: Type.Array(run, { description: 'A run of each rule that matched; the last 200' }),
  },
  { $id: 'WebhookReceiptWithRuns', description: 'A receipt with its message and its runs.' },
)

export const ReceiptQuery = Type.Object({
  ...PageQuery,
  provider: Type.Optional(
    Type.String({
      maxLength: maxProviderLength,
      description: 'Only webhooks of this provider',
      examples: ['stripe'],
    }),
  ),
  eventType: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only events of this type',
      examples: ['payment_intent.succeeded'],
    }),
  ),
  status: Type.Optional(status),
  since: Type.Optional(Moment('Received then or later')),
  until: Type.Optional(Moment('Received before')),
})

export const Replay = Type.Object(
  {
    all: Type.Optional(
      Type.Boolean({ default: false, description: 'Also what has succeeded: its effect is repeated' }),
    ),
  },
  { $id: 'WebhookReplay', description: 'What to run again.' },
)

export type Receipt = Static<typeof Receipt>
export type ReceiptWithRuns = Static<typeof ReceiptWithRuns>
export type ReceiptQuery = Static<typeof ReceiptQuery>
export type Replay = Static<typeof Replay>
