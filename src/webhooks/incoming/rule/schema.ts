import { type Static, Type } from 'typebox'
import { Owner } from '../../../core/schema/owner.ts'
import { Text, Timestamp, Uuid } from '../../../core/schema/schema.ts'
import { maxProviderLength, providerPattern } from '../provider/schema.ts'

const provider = Type.String({
  maxLength: maxProviderLength,
  pattern: providerPattern,
  description: 'The provider of the webhooks; not case-sensitive',
  examples: ['stripe'],
})
const eventType = Text(1, 200, {
  description:
    'The type, as the provider names it; `*` stands for any characters, and `(none)` for events without a type',
  examples: ['payment_intent.succeeded'],
})
const action = Text(1, 100, {
  description: '`order.pay`, `publish`, `log`, or an action of the application',
  examples: ['order.pay'],
})

const isActive = Type.Boolean({ description: '`false` pauses the rule' })

const owner = Owner('Who chose the action, with whose rights it runs')

/** The members that a rule has in the database, beside its owner. */
const stored = {
  id: { ...Uuid, description: 'Assigned by the service' },
  provider,
  eventType,
  action,
  isActive,
  createdAt: Timestamp,
}
const unknownAction = Type.Boolean({
  description: 'Whether no feature declares the action. Its runs are then unhandled',
  examples: [false],
})

export const Rule = Type.Object(
  { ...stored, owner, unknownAction },
  { $id: 'WebhookRule', description: 'The action to run for certain incoming webhooks.' },
)

export const RuleInput = Type.Object(
  { provider, eventType, action },
  { $id: 'WebhookRuleInput', description: 'A new rule.' },
)

export const RuleUpdate = Type.Object(
  {
    provider: Type.Optional(provider),
    eventType: Type.Optional(eventType),
    action: Type.Optional(action),
    isActive: Type.Optional(isActive),
  },
  { $id: 'WebhookRuleUpdate', description: 'Omitted members stay unchanged.' },
)

export const RuleAction = Type.Object(
  {
    name: action,
    access: Type.String({
      description: 'What the owner of a rule needs to run it: a permission, `user` for nothing, or `admin`',
      examples: ['order:write'],
    }),
  },
  { $id: 'WebhookAction', description: 'An action that rules may run.' },
)

export type Rule = Static<typeof Rule>
/** A rule with its owner as the database stores it. */
export type StoredRule = Omit<Rule, 'owner' | 'unknownAction'> & { owner: string | null }
export type RuleInput = Static<typeof RuleInput>
export type RuleUpdate = Static<typeof RuleUpdate>
