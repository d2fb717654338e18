import { Type } from 'typebox'
import { pageReply } from '../../../api/http/reply/link.ts'
import { type Route, route } from '../../../core/feature/route.ts'
import { defaultPageSize } from '../../../core/page.ts'
import type { Waiting } from '../retry/waiting.ts'
import { getReceipt, listReceipts } from './log.ts'
import { replayReceipt } from './replay.ts'
import { Receipt, ReceiptQuery, ReceiptWithRuns, Replay } from './schema.ts'

const common = { tag: 'Incoming webhooks', access: 'user' } as const
const base = '/api/webhooks/receipts'

export function receiptRoutes(waiting: Waiting): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: base,
      summary: 'List what was received, newest first',
      description: 'What did not verify is not stored. The parameters filter; it is always paged.',
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
      ...common,
      method: 'GET',
      path: `${base}/:id`,
      summary: 'Get a receipt with its message, and what came of it',
      description: 'The message as it came, and a run for each rule that matched.',
      status: 200,
      reply: ReceiptWithRuns,
      errors: ['notFound'],
      handle: (context, { path }) => getReceipt(context, path['id'] ?? ''),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/:id/replay`,
      summary: 'Run the rules for a receipt once more',
      description:
        'The rules of now. What has succeeded before is not run again, unless `all` is true. What is beyond the first ' +
        'actions is `PENDING` in the reply, and runs at once.',
      body: Replay,
      bodyOptional: true,
      status: 200,
      reply: ReceiptWithRuns,
      errors: ['notFound', 'tooManyRequests'],
      idempotent: true,
      handle: (context, { path, body }) => replayReceipt(context, path['id'] ?? '', body ?? {}, waiting),
    }),
  ]
}
