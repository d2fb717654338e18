import { useApp } from '../../app-context.ts'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { HealthPicture } from './health-picture.tsx'
import { Pager, usePagedList } from './paged-list.tsx'
import { SubscriptionState } from './status.tsx'
import type { Subscription } from './types.ts'

const { subscription, health } = text.webhook

export function SubscriptionList() {
  const { can, portal } = useApp()
  const list = usePagedList<Subscription>('/api/webhooks/subscriptions', [])
  const create = can('webhook:write') && portal?.events?.length !== 0 && (
    <a class="button main" href={hrefOf('/subscriptions/new')}>
      {subscription.create}
    </a>
  )
  return (
    <div class="stack">
      <div class="row">
        <h1>{text.navigation.subscriptions}</h1>
        <span class="end">{create}</span>
      </div>
      <DataTable
        label={text.navigation.subscriptions}
        columns={columns}
        loaded={list.rows}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>{portal === undefined ? subscription.empty : text.webhook.portal.empty}</p>
            <p>{create}</p>
          </>
        }
      />
      <Pager list={list} label={text.navigation.subscriptions} />
    </div>
  )
}

const columns: readonly Column<Subscription>[] = [
  {
    label: subscription.url,
    show: ({ id, url }) => (
      <a class="wrap" href={hrefOf(`/subscriptions/${id}`)}>
        {url}
      </a>
    ),
  },
  { label: subscription.events, show: ({ events }) => <EventNames events={events} /> },
  { label: text.webhook.status, show: (row) => <SubscriptionState of={row} /> },
  { label: health.title, show: ({ id }) => <HealthPicture subscriptionId={id} /> },
]

const shownEvents = 3

function EventNames({ events }: { events: readonly string[] }) {
  const rest = events.length - shownEvents
  return (
    <span class="names">
      {events.slice(0, shownEvents).map((event) => (
        <code key={event}>{event}</code>
      ))}
      {rest > 0 && <span class="soft">{text.webhook.more(rest)}</span>}
    </span>
  )
}
