/** The schemas of the lists and retries of work that failed for good. */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { PageQuery } from '../../core/page.ts'
import { Nullable, Uuid } from '../../core/schema/schema.ts'

const tenantId = Type.String({ description: 'The tenant', examples: ['acme'] })
const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })
const subscriptionId = { ...Uuid, description: 'The subscription' }
const name = Type.String({
  maxLength: 100,
  description: 'The name of the jobs',
  examples: ['invoice.remind'],
})
const template = Type.String({ maxLength: 100, description: 'The template', examples: ['account.verify'] })

export const DeadLettersOfSubscription = Type.Object(
  {
    tenantId,
    subscriptionId,
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

export const DeadJobsOfName = Type.Object(
  { tenantId, name, jobs: Count('Jobs whose last attempt failed') },
  { $id: 'DeadJobsOfName', description: 'How many jobs of a name have failed for good in a tenant.' },
)

export const DeadMailsOfTemplate = Type.Object(
  {
    tenantId,
    template,
    mails: Count('Mails that were not sent'),
    retriable: Count('How many of them can be retried: what they say is still stored and has not expired'),
  },
  { $id: 'DeadMailsOfTemplate', description: 'How many mails of a template were not sent in a tenant.' },
)

export const DeadLetterReplay = retryInput('DeadLetterReplay', 'dead deliveries to send again', {
  subscriptionId: { ...subscriptionId, description: 'Only of this subscription, which `tenantId` has' },
})

export const DeadJobRetry = retryInput('DeadJobRetry', 'dead jobs to retry', {
  name: { ...name, description: 'Only jobs of this name' },
})

export const DeadMailRetry = retryInput('DeadMailRetry', 'mails to retry that were not sent', {
  template: { ...template, description: 'Only mails of this template' },
})

export const ReplayReport = report('DeadLetterReplayReport', 'deliveries', { subscriptionId })
export const JobReport = report('DeadJobRetryReport', 'jobs', { name })
export const MailReport = report('DeadMailRetryReport', 'mails', { template })

export type DeadLetterReplay = Static<typeof DeadLetterReplay>
export type DeadJobRetry = Static<typeof DeadJobRetry>
export type DeadMailRetry = Static<typeof DeadMailRetry>

function retryInput<P extends Record<string, TSchema>>($id: string, what: string, group: P) {
  const [[member, schema]] = Object.entries(group) as [[keyof P & string, P[keyof P & string]]] // one
  return Type.Object(
    {
      tenantId: Type.Optional({ ...tenantId, maxLength: 64, description: 'Only of this tenant' }),
      [member]: Type.Optional(schema),
      cursor: Type.Optional({ ...PageQuery.cursor, description: '`next` of the previous reply' }),
    },
    {
      $id,
      description: `Which ${what}; without members those of all tenants.`,
      examples: [{ tenantId: 'acme' }],
    },
  )
}

/** @param count its member that has the number */
function report($id: string, count: string, group: Record<string, TSchema>): TObject {
  return Type.Object(
    {
      [count]: Count('How many are tried again'),
      tenants: Count('Tenants of which some are tried again'),
      items: Type.Array(Type.Object({ tenantId, ...group, [count]: Count('How many of them') }), {
        description: 'What is tried again, by tenant',
      }),
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
    { $id, description: 'The result of a request to try again.' },
  )
}
