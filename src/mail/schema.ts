import { type Static, Type } from 'typebox'
import { maxAddressLength } from '../core/mail-address.ts'
import { Nullable, StringEnum, Timestamp, Uuid } from '../core/schema/schema.ts'

export const mailStatuses = ['PENDING', 'SENT', 'DEAD'] as const
export type MailStatus = (typeof mailStatuses)[number]

const status = StringEnum(mailStatuses, {
  description:
    'PENDING: waits for its first or next attempt. SENT: the mail server has taken it. DEAD: it was not sent, and no ' +
    'attempt follows',
  examples: ['SENT'],
})

export const MailTemplateName = Type.String({
  maxLength: 100,
  description: 'The name of the template',
  examples: ['account.verify'],
})

export const MailRecipient = Type.String({
  maxLength: maxAddressLength,
  description: 'The address that it goes to',
  examples: ['ada@acme.example'],
})

export const MailCause = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Text in the error of the mails, such as a code, in the same case',
  examples: ['ECONNREFUSED'],
})

export const MailError = Type.String({
  maxLength: 500,
  description: 'The error of the last attempt',
  examples: ['550 5.1.1 No such user'],
})

export const MailSummary = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the mail' },
    template: MailTemplateName,
    recipient: MailRecipient,
    status,
    attempts: Type.Integer({ minimum: 0, description: 'Attempts that have begun', examples: [1] }),
    error: Nullable(MailError),
    isRetriable: Type.Boolean({
      description:
        'Whether it is `DEAD` and can be retried: what it says is still stored and has not expired',
    }),
    nextAttemptAt: Nullable({
      ...Timestamp,
      description: 'When the next attempt is due; `null` without one',
    }),
    createdAt: Timestamp,
    sentAt: Nullable({ ...Timestamp, description: 'When the mail server took it' }),
  },
  { $id: 'Mail', description: 'A mail of the tenant. What it says is not shown to anybody.' },
)

export const maxRetriedMails = 1000

export const RetryMailsInput = Type.Object(
  {
    error: MailCause,
    template: Type.Optional(MailTemplateName),
    allTenants: Type.Optional(
      Type.Boolean({
        description:
          'The mails of all tenants instead of those of the tenant: for administrators of the host',
        default: false,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxRetriedMails,
        default: maxRetriedMails,
        description: 'At most so many, the oldest first',
      }),
    ),
  },
  { $id: 'RetryMailsInput', description: 'Mails that were not sent for one cause.' },
)

export const RetriedMails = Type.Object(
  {
    retried: Type.Integer({
      minimum: 0,
      description: 'The number of mails that are due again',
      examples: [12],
    }),
    isComplete: Type.Boolean({ description: 'Whether no such mail is left; otherwise repeat the request' }),
  },
  { $id: 'RetriedMails', description: 'What became of a request to retry mails.' },
)

export type MailSummary = Static<typeof MailSummary>
export type RetryMailsInput = Static<typeof RetryMailsInput>
export type RetriedMails = Static<typeof RetriedMails>
