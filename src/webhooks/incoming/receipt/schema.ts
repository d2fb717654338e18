import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Timestamp, Uuid } from '../../../core/schema/schema.ts'
import { maxProviderLength } from '../provider/schema.ts'
import { schemeNames } from '../signature/scheme.ts'

export const maxEventIdLength = 255
export const maxEventTypeLength = 200

/** The states of a run, and of its receipt. */
export const runStatuses = ['SUCCEEDED', 'PENDING', 'DEAD', 'FORBIDDEN', 'UNHANDLED', 'REPLACED'] as const
export type RunStatus = (typeof runStatuses)[number]

export const receiptStatuses = [
  'SUCCEEDED',
  'PENDING',
  'DEAD',
  'FORBIDDEN',
  'UNHANDLED',
  'UNMATCHED',
  'LOOPED',
] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

const status = StringEnum(receiptStatuses, {
  description:
    'PENDING: an action waits for its turn or a retry. DEAD: the last attempt of an action failed. FORBIDDEN: the owner ' +
    'of a rule may not run its action (any more). UNHANDLED: an ' +
    'action does not exist. SUCCEEDED: every action succeeded. UNMATCHED: no rule matched. LOOPED: the chain of ' +
    'webhooks is too long, or has run too many actions',
  examples: ['SUCCEEDED'],
})

export const Receipt = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the receipt' },
    provider: Type.String({
      maxLength: maxProviderLength,
      description: 'The provider that sent it',
      examples: ['stripe'],
    }),
    eventId: Nullable(
      Type.String({
        maxLength: maxEventIdLength,
        description: 'The id that the provider gave the event',
        examples: ['evt_1'],
      }),
    ),
    eventType: Nullable(
      Type.String({
        maxLength: maxEventTypeLength,
        description: 'The type, as the provider names it',
        examples: ['payment_intent.succeeded'],
      }),
    ),
    status,
    hops: Type.Integer({
      minimum: 0,
      description: 'The number of webhooks of this service that led to it',
      examples: [0],
    }),
    receivedAt: Timestamp,
  },
  { $id: 'WebhookReceipt', description: 'A webhook that was received and verified.' },
)

const run = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the run' },
    ruleId: { ...Uuid, description: 'The rule, which may have been deleted since' },
    action: Type.String({ description: 'The name of the action', examples: ['order.pay'] }),
    status: StringEnum(runStatuses, {
      description: 'The statuses of a receipt, for this run. REPLACED: a replay has replaced the run',
      examples: ['SUCCEEDED'],
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts', examples: [1] }),
    error: Nullable(Type.String({ description: 'The error of the last attempt', examples: [null] })),
    nextAttemptAt: Nullable({
      ...Timestamp,
      description: 'When the next attempt is made; `null` for none',
      examples: [null],
    }),
    startedAt: Timestamp,
    finishedAt: Nullable({ ...Timestamp, description: 'When the run ended' }),
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
    bodyEncoding: StringEnum(['utf8', 'base64'], {
      description: 'base64 for a body that is not UTF-8 text',
      examples: ['utf8'],
    }),
    verification: Type.Object(
      {
        verified: Type.Boolean({
          description: 'Messages that do not verify are not stored',
          examples: [true],
        }),
        scheme: Type.String({ enum: schemeNames, description: 'The signature scheme', examples: ['stripe'] }),
        secret: StringEnum(['current', 'former'], {
          description: 'Which secret had signed, as of the time of receipt',
          examples: ['current'],
        }),
      },
      { description: 'How the message was verified' },
    ),
    runs: Type.Array(run, {
      description:
        'The last 200 runs of the rules that matched, of which you see those of your own rules; administrators see all',
    }),
  },
  { $id: 'WebhookReceiptWithRuns', description: 'A receipt with its message and its runs.' },
)

export const Replay = Type.Object(
  {
    all: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also runs rules that have succeeded: their effect is repeated',
      }),
    ),
  },
  { $id: 'WebhookReplay', description: 'Which rules to run again.' },
)

export type Receipt = Static<typeof Receipt>
export type ReceiptWithRuns = Static<typeof ReceiptWithRuns>
export type Replay = Static<typeof Replay>
