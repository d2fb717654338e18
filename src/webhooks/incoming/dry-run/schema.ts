import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Uuid } from '../../../core/schema/schema.ts'
import { Rule } from '../rule/schema.ts'

const sample = { type: 'payment_intent.succeeded', data: { orderId: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' } }

export const DryRunInput = Type.Object(
  {
    receiptId: Type.Optional({ ...Uuid, description: 'A received webhook, instead of `body`' }),
    body: Type.Optional(
      Type.Unknown({
        description: 'A sample body, as the provider would send it',
        examples: [sample],
      }),
    ),
    eventType: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The type of a sample, for providers that send it in a header',
        examples: ['payment_intent.succeeded'],
      }),
    ),
  },
  {
    $id: 'WebhookDryRunInput',
    description: 'What a rule is tried with: a receipt, or a sample body.',
    examples: [{ body: sample }],
  },
)

const outcomes = ['SUCCEEDED', 'FAILED', 'FORBIDDEN', 'UNHANDLED', 'UNMATCHED'] as const

export const DryRun = Type.Object(
  {
    outcome: StringEnum(outcomes, {
      description:
        'UNMATCHED: the rule does not match the event. FORBIDDEN: the owner of the rule may not run its action any more. UNHANDLED: there is no such action. FAILED: `error` has the reason',
      examples: ['SUCCEEDED'],
    }),
    isActive: Type.Boolean({
      description: 'Whether the rule is active: a paused rule is tried nevertheless',
    }),
    eventType: Nullable(
      Type.String({ description: 'The type of the event', examples: ['payment_intent.succeeded'] }),
    ),
    action: Rule.properties.action,
    values: Type.Unknown({
      description: 'The members of the body that the action reads; `null` if it was not called',
      examples: [{ data: { orderId: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' } }],
    }),
    error: Nullable(Type.String({ description: 'Why the action failed', examples: [null] })),
    events: Type.Array(
      Type.Object({
        type: Type.String({ description: 'The type of the event', examples: ['order.paid'] }),
        data: Type.Unknown({
          description: 'The payload',
          examples: [{ orderId: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' }],
        }),
      }),
      { description: 'The events of the changes that the action would make, in their order' },
    ),
  },
  { $id: 'WebhookDryRun', description: 'What a rule would do. Nothing was changed.' },
)

export type DryRunInput = Static<typeof DryRunInput>
export type DryRun = Static<typeof DryRun>
