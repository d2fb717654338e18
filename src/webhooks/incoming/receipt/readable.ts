/** The list of received webhooks. The message and the runs of one webhook are read by `log.ts`. */
import { Type } from 'typebox'
import { columnField } from '../../../database/read/read-model.ts'
import type { FilterParameter } from '../../../entity/filter.ts'
import { readable } from '../../../entity/readable.ts'
import { periodBounds, periodParameters } from '../../outgoing/log/period.ts'
import { maxProviderLength } from '../provider/schema.ts'
import { Receipt } from './schema.ts'
import { receiptFrom } from './sql.ts'

const providerFilter: FilterParameter = {
  schema: Type.Optional(
    Type.String({
      maxLength: maxProviderLength,
      description: 'Only webhooks of this provider, in any case',
      examples: ['stripe'],
    }),
  ),
  takesMe: false, // `me` is a text like any other
  read: (given) => ({
    kind: 'compare',
    field: columnField('provider', 'text'),
    operator: 'eq',
    value: String(given).toLowerCase(),
  }),
}

export const receipts = readable({
  name: 'webhookReceipt',
  plural: 'webhookReceipts',
  label: 'receipt',
  row: Receipt,
  table: 'webhook_receipt',
  path: '/api/webhooks/receipts',
  tag: 'Incoming webhooks',
  access: 'incomingWebhook:read',
  isNewestFirst: true,
  time: 'receivedAt',
  filters: ['provider', 'eventType', 'status', 'receivedAt'],
  parameters: {
    provider: providerFilter,
    ...periodParameters({ since: 'Received at this time or later', until: 'Received before this time' }),
  },
  // A period becomes a range of ids, which are in the order of time: it needs no index of its own.
  reach: async ({ data }, request) => {
    const bounds = await periodBounds(data, request, receiptFrom)
    return bounds.length === 0 ? null : { kind: 'and', parts: bounds }
  },
  documents: {
    list: {
      summary: 'List received webhooks, newest first',
      description:
        'Messages that do not verify are not stored. The parameters filter the list, which is always paged.',
    },
  },
})
