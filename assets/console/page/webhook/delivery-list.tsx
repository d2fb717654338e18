import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Done } from '../../component/notice.tsx'
import { type Selection, useSelection } from '../../component/selection.ts'
import { useLoaded } from '../../load.ts'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { type Filter, Filters } from './filters.tsx'
import { Moment } from './moment.tsx'
import { Pager, usePagedList } from './paged-list.tsx'
import { Status, statusLabel } from './status.tsx'
import { type Delivery, deliveryStatuses, type Subscription } from './types.ts'

const { delivery } = text.webhook
const noSubscriptions: readonly Subscription[] = []
const noRows: readonly Delivery[] = []

export function DeliveryList() {
  const { can } = useApp()
  const { data } = useLoaded<readonly Subscription[]>('subscriptions', (signal) =>
    get('/api/webhooks/subscriptions', { signal }),
  )
  const subscriptions = data ?? noSubscriptions
  const filters = filtersOf(subscriptions)
  const list = usePagedList<Delivery>(
    '/api/webhooks/deliveries',
    filters.map(({ name }) => name),
  )
  const { query } = usePlace()
  const all = list.rows.data ?? noRows
  const selection = useSelection(query.toString(), all)
  const columns = columnsOf(subscriptions)
  return (
    <div class="stack">
      <h1>{text.navigation.deliveries}</h1>
      <Filters filters={filters} isFiltered={list.isFiltered} onChange={list.show} />
      {can('webhook:write') && all.length > 0 && (
        <Replay
          selection={selection}
          onDone={() => {
            selection.chooseAll(false)
            list.rows.reload()
          }}
        />
      )}
      <DataTable
        label={text.navigation.deliveries}
        columns={can('webhook:write') ? [choiceColumn(selection), ...columns] : columns}
        loaded={list.rows}
        keyOf={({ id }) => id}
        empty={<p>{list.isFiltered ? delivery.noMatch : delivery.empty}</p>}
      />
      <Pager list={list} label={text.navigation.deliveries} />
    </div>
  )
}

function filtersOf(subscriptions: readonly Subscription[]): Filter[] {
  return [
    {
      name: 'status',
      label: text.webhook.status,
      kind: deliveryStatuses.map((each) => [each, statusLabel(each)] as const),
    },
    { name: 'eventType', label: text.webhook.eventType, kind: 'text' },
    {
      name: 'subscriptionId',
      label: delivery.subscription,
      kind: subscriptions.map(({ id, url }) => [id, url] as const),
    },
    { name: 'since', label: text.webhook.since, kind: 'moment' },
    { name: 'until', label: text.webhook.until, kind: 'moment' },
  ]
}

function choiceColumn({ has, choose }: Selection<Delivery>): Column<Delivery> {
  return {
    label: text.webhook.choose,
    show: ({ id, eventType }) => (
      <input
        type="checkbox"
        aria-label={text.list.choose(`${eventType} ${id}`)}
        checked={has(id)}
        onChange={(event) => choose(id, event.currentTarget.checked)}
      />
    ),
  }
}

function columnsOf(subscriptions: readonly Subscription[]): Column<Delivery>[] {
  const urlOf = (id: string) => subscriptions.find((each) => each.id === id)?.url
  return [
    {
      label: text.webhook.event,
      show: ({ id, eventType, kind }) => (
        <>
          <a href={hrefOf(`/deliveries/${id}`)}>{eventType}</a>{' '}
          {kind !== 'EVENT' && <span class="badge">{delivery.kinds[kind] ?? kind}</span>}
        </>
      ),
    },
    { label: text.webhook.status, show: ({ status }) => <Status status={status} /> },
    { label: delivery.attempts, isNumber: true, show: ({ attempts }) => attempts },
    {
      label: delivery.subscription,
      show: ({ subscriptionId }) => {
        const url = urlOf(subscriptionId)
        if (url === undefined) return <code>{subscriptionId.slice(-12)}</code>
        return (
          <a class="wrap" href={hrefOf(`/subscriptions/${subscriptionId}`)}>
            {url}
          </a>
        )
      },
    },
    { label: text.webhook.created, show: ({ createdAt }) => <Moment value={createdAt} /> },
    { label: delivery.nextAttempt, show: ({ nextAttemptAt }) => <Moment value={nextAttemptAt} /> },
  ]
}

interface ReplayProps {
  selection: Selection<Delivery>
  onDone: () => void
}

/** One after the other: what is refused does not keep the others back. */
function Replay({ selection: { rows, hasAll, chooseAll }, onDone }: ReplayProps) {
  const [result, setResult] = useState<string | null>(null)
  const replay = async () => {
    let failed = 0
    for (const { id } of rows) {
      await request('POST', `/api/webhooks/deliveries/${id}/replay`).catch(() => {
        failed += 1
      })
    }
    setResult(text.list.partly(rows.length - failed, failed))
    onDone()
  }
  return (
    <>
      <div class="row">
        <label class="row">
          <input
            type="checkbox"
            checked={hasAll}
            onChange={(event) => chooseAll(event.currentTarget.checked)}
          />
          {text.list.chooseAll}
        </label>
        <ActionButton
          act={replay}
          isDisabled={rows.length === 0}
          question={delivery.confirmReplay(rows.length)}
        >
          {delivery.replayChosen(rows.length)}
        </ActionButton>
      </div>
      {result !== null && <Done>{result}</Done>}
    </>
  )
}
