import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../../core/schema/schema.ts'
import { type SchemeName, schemeNames } from '../signature/scheme.ts'

export const maxProviderLength = 64
/** It has to fit into the name of a header: `<Provider>-Signature`. */
export const providerPattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'

const scheme = Type.Unsafe<SchemeName>({
  type: 'string',
  enum: schemeNames,
  description: '`stripe` is `<Provider>-Signature: t=…,v1=…`, for any provider',
  examples: ['stripe'],
})
const toleranceSeconds = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  default: 300,
  description: 'How far the timestamp of a signature may differ from the clock of the service, either way',
})

export const Provider = Type.Object(
  {
    provider: Type.String({ description: 'Its name, in lower case', examples: ['stripe'] }),
    scheme,
    secret: Type.String({ description: 'Always masked', examples: ['****LaSw'] }),
    formerSecretUntil: Nullable({
      ...Timestamp,
      description: 'Until when the former secret is accepted as well',
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
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The key of the signatures. Required at first; another one begins a rotation',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
    ),
    scheme: Type.Optional(scheme),
    toleranceSeconds: Type.Optional(toleranceSeconds),
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'How long the former secret is accepted beside a new one; 0 ends it at once',
      }),
    ),
  },
  { $id: 'WebhookProviderInput', description: 'Omitted members stay as they are.' },
)

export type Provider = Static<typeof Provider>
export type ProviderInput = Static<typeof ProviderInput>
