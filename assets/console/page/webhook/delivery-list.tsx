import { useEffect, useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Done } from '../../component/notice.tsx'
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
  const [chosen, setChosen] = useState<readonly string[]>([])
  useEffect(() => setChosen([]), [query.toString()])
  const all = list.rows.data ?? []
  const choose = (id: string, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))
  const columns = columnsOf(subscriptions)
  return (
    <div class="stack">
      <h1>{text.navigation.deliveries}</h1>
      <Filters filters={filters} isFiltered={list.isFiltered} onChange={list.show} />
      {can('webhook:write') && all.length > 0 && (
        <Replay
          chosen={chosen}
          isAll={chosen.length === all.length}
          onAll={(isAll) => setChosen(isAll ? all.map(({ id }) => id) : [])}
          onDone={() => {
            setChosen([])
            list.rows.reload()
          }}
        />
      )}
      <DataTable
        label={text.navigation.deliveries}
        columns={can('webhook:write') ? [choiceColumn(chosen, choose), ...columns] : columns}
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

function choiceColumn(
  chosen: readonly string[],
  onChoose: (id: string, isChosen: boolean) => void,
): Column<Delivery> {
  return {
    label: text.webhook.choose,
    show: ({ id, eventType }) => (
      <input
        type="checkbox"
        aria-label={text.list.choose(`${eventType} ${id}`)}
        checked={chosen.includes(id)}
        onChange={(event) => onChoose(id, event.currentTarget.checked)}
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
  chosen: readonly string[]
  isAll: boolean
  onAll: (isAll: boolean) => void
  onDone: () => void
}

/** One after the other: what is refused does not keep the others back. */
function Replay({ chosen, isAll, onAll, onDone }: ReplayProps) {
  const [result, setResult] = useState<string | null>(null)
  const replay = async () => {
    let failed = 0
    for (const id of chosen) {
      await request('POST', `/api/webhooks/deliveries/${id}/replay`).catch(() => {
        failed += 1
      })
    }
    setResult(text.list.partly(chosen.length - failed, failed))
    onDone()
  }
  return (
    <>
      <div class="row">
        <label class="row">
          <input type="checkbox" checked={isAll} onChange={(event) => onAll(event.currentTarget.checked)} />
          {text.list.chooseAll}
        </label>
        <ActionButton
          act={replay}
          isDisabled={chosen.length === 0}
          question={delivery.confirmReplay(chosen.length)}
        >
          {delivery.replayChosen(chosen.length)}
        </ActionButton>
      </div>
      {result !== null && <Done>{result}</Done>}
    </>
  )
}
