import { type Static, Type } from 'typebox'
import { PageQuery } from '../../core/page.ts'
import { Nullable, Uuid } from '../../core/schema/schema.ts'

const tenantId = Type.String({ description: 'The tenant', examples: ['acme'] })
const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })

export const DeadLettersOfSubscription = Type.Object(
  {
    tenantId,
    subscriptionId: { ...Uuid, description: 'The subscription' },
    receiver: Type.String({
      description: 'The host of its address, without the path, which may hold a secret',
      examples: ['crm.acme.example'],
    }),
    isActive: Type.Boolean({
      description: 'Whether the subscription is active. If not, what is sent again waits until it is',
    }),
    deliveries: Count('Deliveries whose last attempt failed'),
  },
  {
    $id: 'DeadLettersOfSubscription',
    description: 'How many deliveries of a subscription have failed for good.',
  },
)

export const DeadLetterReplay = Type.Object(
  {
    tenantId: Type.Optional({ ...tenantId, maxLength: 64, description: 'Only of this tenant' }),
    subscriptionId: Type.Optional({
      ...Uuid,
      description: 'Only of this subscription, which `tenantId` has',
    }),
    cursor: Type.Optional({ ...PageQuery.cursor, description: '`next` of the previous reply' }),
  },
  {
    $id: 'DeadLetterReplay',
    description: 'Which dead deliveries to send again; without members those of all tenants.',
    examples: [{ tenantId: 'acme' }],
  },
)

export type DeadLetterReplay = Static<typeof DeadLetterReplay>

export const ReplayReport = Type.Object(
  {
    deliveries: Count('Deliveries that are sent again'),
    tenants: Count('Tenants whose deliveries are sent again'),
    failures: Type.Array(
      Type.Object({
        tenantId,
        message: Type.String({ description: 'Why', examples: ['The tenant is deactivated.'] }),
      }),
      { description: 'Tenants that were passed over' },
    ),
    next: Nullable(
      Type.String({
        description: 'The `cursor` of the request that continues; `null` when none is left',
        examples: [null],
      }),
    ),
  },
  { $id: 'DeadLetterReplayReport', description: 'The result of a replay.' },
)

export type ReplayReport = Static<typeof ReplayReport>
