/** The members of mails that callers can read. The content is not among them. */
import { Type } from 'typebox'
import { completedText } from '../core/completion.ts'
import { now } from '../core/context.ts'
import { foldAddress } from '../core/mail-address.ts'
import { columnField } from '../database/read/read-model.ts'
import type { FilterParameter } from '../entity/filter.ts'
import { readable } from '../entity/readable.ts'
import { MailCause, MailRecipient, MailSummary } from './schema.ts'
import { nextAttemptAt, noExpiry, retriableUntil } from './sql.ts'

const status = columnField('status', 'enum')
const error = columnField('error', 'text')
const content = columnField('content', 'text')
const expiresAt = columnField('expires_at', 'timestamp')
const recipientKey = columnField('recipient_key', 'text')

const recipientFilter: FilterParameter = {
  schema: Type.Optional({ ...MailRecipient, 'x-trim': true }),
  takesMe: false, // `me` is a text like any other, here and below
  read: (given) => ({
    kind: 'compare',
    field: recipientKey,
    operator: 'eq',
    value: foldAddress(String(given)),
  }),
}

/** Together with `retriableFilter`, it finds the same mails as `lockRetriableMails`. */
const causeFilter: FilterParameter = {
  schema: Type.Optional(MailCause),
  takesMe: false,
  read: (given) => ({
    kind: 'and',
    parts: [
      { kind: 'not', part: { kind: 'isNull', field: error } },
      { kind: 'compare', field: error, operator: 'contains', value: String(given) },
    ],
  }),
}

const retriableFilter: FilterParameter = {
  schema: Type.Optional(
    Type.String({
      enum: ['true'],
      description: '`true` lists only mails that can be retried: those that `POST /api/mails/retry` takes',
      examples: ['true'],
    }),
  ),
  takesMe: false,
  read: (_given, context) => ({
    kind: 'and',
    parts: [
      { kind: 'compare', field: status, operator: 'eq', value: 'DEAD' },
      { kind: 'not', part: { kind: 'isNull', field: content } },
      {
        kind: 'or',
        parts: [
          { kind: 'isNull', field: expiresAt },
          { kind: 'compare', field: expiresAt, operator: 'gt', value: now(context) },
        ],
      },
    ],
  }),
}

/** Turns the moment of `retriableUntil` into the boolean that callers read. */
const isRetriable = completedText((context, moments) => {
  const nowMs = Date.parse(now(context))
  return moments.map((until) => until === noExpiry || Date.parse(until) > nowMs)
}, false) // of a mail that is not dead, which has no such moment

export const mails = readable({
  name: 'mail',
  plural: 'mails',
  label: 'mail',
  row: MailSummary,
  table: 'mail',
  isInCatalogue: true,
  path: '/api/mails',
  tag: 'Mail',
  access: 'mail:read',
  isNewestFirst: true,
  filters: ['status', 'template'],
  parameters: { recipient: recipientFilter, error: causeFilter, isRetriable: retriableFilter },
  members: {
    isRetriable: { derived: retriableUntil, completed: isRetriable },
    nextAttemptAt: { derived: nextAttemptAt },
  },
  documents: {
    list: {
      summary: 'List mails, newest first',
      description:
        'The mails of the tenant and what became of them, without what they say. They are removed after ' +
        '`MAIL_RETENTION_DAYS`. The parameters filter the list, which is always paged. `error` with ' +
        '`isRetriable=true` lists the mails that `POST /api/mails/retry` takes for the same `error`.',
    },
    get: {
      summary: 'Get a mail',
      description: 'What became of the mail, without what it says.',
    },
  },
})
