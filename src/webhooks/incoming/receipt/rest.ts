import { Type } from 'typebox'
import { pageReply } from '../../../api/http/reply/link.ts'
import { type Route, route } from '../../../core/feature/route.ts'
import { defaultPageSize } from '../../../core/page.ts'
import { getReceipt, listReceipts } from './log.ts'
import { replayReceipt } from './replay.ts'
import { Receipt, ReceiptQuery, ReceiptWithRuns, Replay } from './schema.ts'

const common = { tag: 'Incoming webhooks' } as const
const reading = { ...common, access: 'incomingWebhook:read' } as const
const writing = { ...common, access: 'incomingWebhook:write' } as const
const base = '/api/webhooks/receipts'

export function receiptRoutes(retrySeconds: readonly number[]): Route[] {
  return [
    route({
      ...reading,
      method: 'GET',
      path: base,
      summary: 'List received webhooks, newest first',
      description:
        'Messages that do not verify are not stored. The parameters filter the list, which is always paged.',
      query: ReceiptQuery,
      status: 200,
      reply: Type.Array(Receipt),
      headers: ['link'],
      handle: async (context, { query }) => {
        const page = await listReceipts(context, { ...query, limit: query.limit ?? defaultPageSize })
        return pageReply(base, query, page)
      },
    }),
    route({
      ...reading,
      method: 'GET',
      path: `${base}/:id`,
      summary: 'Get a receipt with its message and its runs',
      description: 'The message as received, and the runs of the rules that matched.',
      status: 200,
      reply: ReceiptWithRuns,
      errors: ['notFound'],
      handle: (context, { path }) => getReceipt(context, path['id'] ?? ''),
    }),
    route({
      ...writing,
      method: 'POST',
      path: `${base}/:id/replay`,
      summary: 'Run the rules for a receipt again',
      description:
        'Runs the current rules, those that you made, or as an administrator all. A rule that has succeeded does not run again, unless `all` is true. Actions beyond the ' +
        'first ones are `PENDING` in the reply, and run afterwards.',
      body: Replay,
      bodyOptional: true,
      status: 200,
      reply: ReceiptWithRuns,
      errors: ['notFound', 'tooManyRequests'],
      idempotent: true,
      handle: (context, { path, body }) => replayReceipt(context, path['id'] ?? '', body ?? {}, retrySeconds),
    }),
  ]
}
