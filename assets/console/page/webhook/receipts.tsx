/** Webhooks that were received: the list, and one with what became of it. */
import { useApp } from '../../app-context.ts'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { type Filter, Filters } from './filters.tsx'
import { Moment } from './moment.tsx'
import { Pager, usePagedList } from './paged-list.tsx'
import { ReceiptDetail } from './receipt-detail.tsx'
import { Status, statusLabel } from './status.tsx'
import { type Receipt, receiptStatuses } from './types.ts'

const { receipt: words } = text.webhook

export default function ReceiptPages() {
  const [, , id] = usePlace().path.split('/')
  return id === undefined ? <ReceiptList /> : <ReceiptDetail key={id} id={id} />
}

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: text.webhook.status,
    kind: receiptStatuses.map((each) => [each, statusLabel(each)] as const),
  },
  { name: 'provider', label: text.webhook.provider.name, kind: 'text' },
  { name: 'eventType', label: text.webhook.eventType, kind: 'text' },
  { name: 'since', label: text.webhook.since, kind: 'moment' },
  { name: 'until', label: text.webhook.until, kind: 'moment' },
]

function ReceiptList() {
  const { can } = useApp()
  const list = usePagedList<Receipt>(
    '/api/webhooks/receipts',
    filters.map(({ name }) => name),
  )
  return (
    <div class="stack">
      <h1>{text.navigation.receipts}</h1>
      <p class="soft">{words.text}</p>
      <Filters filters={filters} isFiltered={list.isFiltered} onChange={list.show} />
      <DataTable
        label={text.navigation.receipts}
        columns={columns}
        loaded={list.rows}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>{list.isFiltered ? words.noMatch : words.empty}</p>
            {!list.isFiltered && can('webhookProvider:read') && (
              <p>
                <a class="button main" href={hrefOf('/providers')}>
                  {text.webhook.provider.title}
                </a>
              </p>
            )}
          </>
        }
      />
      <Pager list={list} label={text.navigation.receipts} />
    </div>
  )
}

const columns: readonly Column<Receipt>[] = [
  {
    label: text.webhook.eventType,
    show: ({ id, eventType }) => <a href={hrefOf(`/receipts/${id}`)}>{eventType ?? words.noType}</a>,
  },
  { label: text.webhook.provider.name, show: ({ provider }) => provider },
  { label: text.webhook.status, show: ({ status }) => <Status status={status} /> },
  { label: words.eventId, show: ({ eventId }) => <code class="wrap">{eventId ?? text.state.none}</code> },
  { label: words.received, show: ({ receivedAt }) => <Moment value={receivedAt} /> },
]
