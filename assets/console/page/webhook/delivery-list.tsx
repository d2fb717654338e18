/** The list of deliveries that were sent, or are to be sent, to subscriptions. */
import { Send } from 'lucide'
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { figure, moment, status } from '../../component/columns.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { Done } from '../../component/notice.tsx'
import { Badge, statusChoices } from '../../component/status-badge.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { eventTypeFinder, subscriptionFinder } from '../finders.ts'
import { SubscriptionName } from './subscription-name.tsx'
import { type Delivery, deliveryStatuses } from './types.ts'

const { delivery } = text.webhook

const deliveries: Resource<Delivery> = {
  path: '/api/webhooks/deliveries',
  title: text.navigation.deliveries,
  text: delivery.text,
  icon: Send,
  none: delivery.empty,
  hrefOf: ({ id }) => hrefOf(`/deliveries/${id}`),
  filters: [
    { name: 'status', label: text.webhook.status, kind: statusChoices(deliveryStatuses) },
    { name: 'eventType', label: text.webhook.eventType, kind: eventTypeFinder },
    { name: 'subscriptionId', label: delivery.subscription, kind: subscriptionFinder },
    { name: 'since', label: text.webhook.since, kind: 'moment' },
    { name: 'until', label: text.webhook.until, kind: 'moment' },
  ],
  columns: [
    {
      label: text.webhook.event,
      show: ({ eventType, kind }) => (
        <>
          {eventType} {kind !== 'EVENT' && <Badge>{delivery.kinds[kind] ?? kind}</Badge>}
        </>
      ),
    },
    status(text.webhook.status, 'status'),
    figure(delivery.attempts, 'attempts'),
    {
      label: delivery.subscription,
      isWide: true,
      show: ({ subscriptionId }) => <SubscriptionName id={subscriptionId} />,
    },
    moment(text.webhook.created, 'createdAt'),
    moment(delivery.nextAttempt, 'nextAttemptAt'),
  ],
}

export function DeliveryList() {
  const { can } = useApp()
  const list = useList<Delivery>(deliveries)
  const [result, setResult] = useState<string | null>(null)
  return (
    <ListPage<Delivery>
      resource={deliveries}
      list={list}
      bulk={
        can('webhook:write') && {
          titleOf: ({ id, eventType }) => `${eventType} ${id}`,
          actions: (rows, end) => (
            <ActionButton
              kind="main"
              question={delivery.confirmReplay(rows.length)}
              act={async () => {
                setResult(await replayAll(rows))
                end()
              }}
            >
              {delivery.replayChosen(rows.length)}
            </ActionButton>
          ),
        }
      }
    >
      {result !== null && <Done>{result}</Done>}
    </ListPage>
  )
}

/** Sends deliveries again one after the other. A refused one does not stop the others. */
async function replayAll(rows: readonly Delivery[]): Promise<string> {
  let failed = 0
  for (const { id } of rows) {
    await request('POST', `/api/webhooks/deliveries/${id}/replay`).catch(() => {
      failed += 1
    })
  }
  return text.list.partly(rows.length - failed, failed)
}
