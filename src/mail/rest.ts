import { type Route, route } from '../core/feature/route.ts'
import { KeptMail } from '../core/mail-settings.ts'
import { readMailContent, retryMail } from './mail.ts'
import { mails } from './readable.ts'
import { retryMails } from './retry.ts'
import { MailSummary, RetriedMails, RetryMailsInput } from './schema.ts'

const base = '/api/mails'

export const mailRoutes: Route[] = [
  mails.list,
  mails.get,
  route({
    tag: 'Mail',
    access: 'mail:read',
    method: 'GET',
    path: `${base}/:id/content`,
    summary: 'Read a mail, in development',
    name: 'getMailContent',
    description:
      'The text and the links of a mail that is kept in the folder of development. Where mails are sent, nobody reads ' +
      'them: each is 404 then.',
    database: 'catalogue',
    secret: true,
    impersonation: 'refused',
    reply: KeptMail,
    errors: ['notFound'],
    handle: (context, { path }) => readMailContent(context, path.id),
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
    reply: MailSummary,
    errors: ['notFound', 'invalid'],
    idempotent: true,
    handle: (context, { path }) => retryMail(context, path.id),
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
    reply: RetriedMails,
    errors: ['invalid'],
    idempotent: true,
    handle: (context, { body }) => retryMails(context, body),
  }),
]
