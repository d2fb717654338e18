import { type Route, route } from '../../../core/feature/route.ts'
import { getReceipt } from './log.ts'
import { receipts } from './readable.ts'
import { replayReceipt } from './replay.ts'
import { ReceiptWithRuns, Replay } from './schema.ts'

const common = { tag: 'Incoming webhooks' } as const
const reading = { ...common, access: 'incomingWebhook:read' } as const
const writing = { ...common, access: 'incomingWebhook:write' } as const
const base = '/api/webhooks/receipts'

export function receiptRoutes(retrySeconds: readonly number[]): Route[] {
  return [
    receipts.list,
    route({
      ...reading,
      method: 'GET',
      path: `${base}/:id`,
      summary: 'Get a receipt with its message and its runs',
      description: 'The message as received, and the runs of the rules that matched.',
      reply: ReceiptWithRuns,
      errors: ['notFound'],
      handle: (context, { path }) => getReceipt(context, path.id),
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
      reply: ReceiptWithRuns,
      errors: ['notFound', 'tooManyRequests'],
      idempotent: true,
      handle: (context, { path, body }) => replayReceipt(context, path.id, body ?? {}, retrySeconds),
    }),
  ]
}
