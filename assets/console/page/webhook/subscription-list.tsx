/** The list of subscriptions to events. */
import { Webhook } from 'lucide'
import { useApp } from '../../app-context.ts'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { HealthPicture } from './health-picture.tsx'
import { SubscriptionState } from './subscription-state.tsx'
import type { Subscription } from './types.ts'

const { subscription, health, portal: portalTexts } = text.webhook

const subscriptions: Resource<Subscription> = {
  path: '/api/webhooks/subscriptions',
  title: text.navigation.subscriptions,
  text: subscription.text,
  icon: Webhook,
  none: subscription.empty,
  isCounted: true,
  hrefOf: ({ id }) => hrefOf(`/subscriptions/${id}`),
  filters: [
    { name: 'url[icontains]', label: subscription.url, kind: 'text' },
    { name: 'customer', label: subscription.customer, kind: 'text' },
    {
      name: 'isActive',
      label: text.webhook.status,
      kind: [
        ['true', subscription.state.active],
        ['false', subscription.state.paused],
      ],
    },
  ],
  columns: [
    { label: subscription.url, isWide: true, show: ({ url }) => <span class="wrap">{url}</span> },
    { label: subscription.events, show: ({ events }) => <EventNames events={events} /> },
    { label: text.webhook.status, show: (row) => <SubscriptionState of={row} /> },
    { label: health.title, show: ({ id }) => <HealthPicture subscriptionId={id} /> },
  ],
}

const ofCustomer = { ...subscriptions, none: portalTexts.empty }

export function SubscriptionList() {
  const { can, portal } = useApp()
  const list = useList<Subscription>(subscriptions)
  return (
    <ListPage
      resource={portal === undefined ? subscriptions : ofCustomer}
      list={list}
      action={
        can('webhook:write') &&
        portal?.events?.length !== 0 && (
          <a class="button main" href={hrefOf('/subscriptions/new')}>
            {subscription.create}
          </a>
        )
      }
    />
  )
}

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
