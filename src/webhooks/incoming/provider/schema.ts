import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Timestamp } from '../../../core/schema/schema.ts'
import { schemeNames } from '../signature/scheme.ts'

export const maxProviderLength = 64
/** The name is part of a header name: `<Provider>-Signature`. */
export const providerPattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'

const scheme = StringEnum(schemeNames, {
  description: '`stripe` is `<Provider>-Signature: t=…,v1=…`, for any provider',
  examples: ['stripe'],
})
const toleranceSeconds = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  default: 300,
  description:
    'The maximum difference between the timestamp of a signature and the clock of the service, in either direction',
})

export const Secret = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The key of the signatures. Required for a new provider. A new secret begins a rotation',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
})

export const Provider = Type.Object(
  {
    provider: Type.String({
      maxLength: maxProviderLength,
      description: 'The name of the provider, in lower case',
      examples: ['stripe'],
    }),
    scheme,
    secret: Type.String({ description: 'Always masked', examples: ['****LaSw'] }),
    formerSecretUntil: Nullable({
      ...Timestamp,
      description: 'When the former secret is no longer accepted',
      examples: [null],
    }),
    toleranceSeconds,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'WebhookProvider', description: 'A provider whose webhooks are accepted.' },
)

export const ProviderInput = Type.Object(
  {
    secret: Type.Optional(Secret),
    scheme: Type.Optional(scheme),
    toleranceSeconds: Type.Optional(toleranceSeconds),
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'How long the former secret is accepted beside a new one; 0 drops it at once',
      }),
    ),
  },
  { $id: 'WebhookProviderInput', description: 'Omitted members stay unchanged.' },
)

export type Provider = Static<typeof Provider>
export type ProviderInput = Static<typeof ProviderInput>
