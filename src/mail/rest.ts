import { Type } from 'typebox'
import { pageReply } from '../api/http/reply/link.ts'
import { type Route, route } from '../core/feature/route.ts'
import { defaultPageSize } from '../core/page.ts'
import { listMails, retryMail } from './mail.ts'
import { retryMails } from './retry.ts'
import { MailQuery, MailSummary, RetriedMails, RetryMailsInput } from './schema.ts'

const base = '/api/mails'

export const mailRoutes: Route[] = [
  route({
    tag: 'Mail',
    access: 'mail:read',
    method: 'GET',
    path: base,
    summary: 'List mails, newest first',
    description:
      'The mails of the tenant and what became of them, without what they say. They are removed after ' +
      '`MAIL_RETENTION_DAYS`. The parameters filter the list, which is always paged. `error` with ' +
      '`isRetriable=true` lists the mails that `POST /api/mails/retry` takes for the same `error`.',
    query: MailQuery,
    status: 200,
    reply: Type.Array(MailSummary),
    headers: ['link'],
    handle: async (context, { query }) => {
      const page = await listMails(context, { ...query, limit: query.limit ?? defaultPageSize })
      return pageReply(base, query, page)
    },
  }),
  route({
    tag: 'Mail',
    access: 'mail:write',
    method: 'POST',
    path: `${base}/:id/retry`,
    summary: 'Retry a mail that was not sent',
    description:
      'For a mail that is `DEAD` while what it says is still stored (`isRetriable`). It gets the whole retry schedule ' +
      'again.',
    status: 200,
    reply: MailSummary,
    errors: ['notFound', 'invalid'],
    idempotent: true,
    handle: (context, { path }) => retryMail(context, path['id'] ?? ''),
  }),
  route({
    tag: 'Mail',
    access: 'mail:write',
    method: 'POST',
    path: `${base}/retry`,
    summary: 'Retry the mails that were not sent for one cause',
    name: 'retryMails',
    description:
      'For mails that are `DEAD` while what they say is still stored (`isRetriable`), such as after a failure of the ' +
      'mail server. They get the whole retry schedule again. `GET /api/mails` lists them for the same `error` with ' +
      '`isRetriable=true`.',
    body: RetryMailsInput,
    status: 200,
    reply: RetriedMails,
    errors: ['invalid'],
    idempotent: true,
    handle: (context, { body }) => retryMails(context, body),
  }),
]
