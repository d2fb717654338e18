/** The pages of received webhooks: the list, and a webhook with its result. */
import { Inbox } from 'lucide'
import { useApp } from '../../app-context.ts'
import { moment, plain, status } from '../../component/columns.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { statusChoices } from '../../component/status-badge.tsx'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { providerFinder } from '../finders.ts'
import { ReceiptDetail } from './receipt-detail.tsx'
import { type Receipt, receiptStatuses } from './types.ts'

const { receipt: words } = text.webhook

export default function ReceiptPages() {
  const [, , id] = usePlace().path.split('/')
  return id === undefined ? <ReceiptList /> : <ReceiptDetail key={id} id={id} />
}

const receipts: Resource<Receipt> = {
  path: '/api/webhooks/receipts',
  title: text.navigation.receipts,
  text: words.text,
  icon: Inbox,
  none: words.empty,
  hrefOf: ({ id }) => hrefOf(`/receipts/${id}`),
  filters: [
    { name: 'status', label: text.webhook.status, kind: statusChoices(receiptStatuses) },
    { name: 'provider', label: text.webhook.provider.name, kind: providerFinder },
    { name: 'eventType', label: text.webhook.eventType, kind: 'text' },
    { name: 'since', label: text.webhook.since, kind: 'moment' },
    { name: 'until', label: text.webhook.until, kind: 'moment' },
  ],
  columns: [
    { label: text.webhook.eventType, show: ({ eventType }) => eventType ?? words.noType },
    plain(text.webhook.provider.name, 'provider'),
    status(text.webhook.status, 'status'),
    { label: words.eventId, show: ({ eventId }) => eventId !== null && <code class="wrap">{eventId}</code> },
    moment(words.received, 'receivedAt'),
  ],
}

function ReceiptList() {
  const { can } = useApp()
  const list = useList<Receipt>(receipts)
  return (
    <ListPage
      resource={receipts}
      list={list}
      action={
        can('webhookProvider:read') && (
          <a class="button" href={hrefOf('/providers')}>
            {text.webhook.provider.title}
          </a>
        )
      }
    />
  )
}
