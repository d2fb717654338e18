/** The page of a subscription: its state, its settings, its last deliveries, and actions such as a test event. */
import { Pencil, Send, Webhook } from 'lucide'
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { figure, moment, status } from '../../component/columns.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Icon } from '../../component/icon.tsx'
import { Loading } from '../../component/loading.tsx'
import { Menu } from '../../component/menu.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { Values } from '../../component/values.tsx'
import { useLoaded } from '../../load.ts'
import { goTo, hrefOf } from '../../router.ts'
import { useTitle } from '../../shell/title.ts'
import { text } from '../../text/text.ts'
import { HealthPicture } from './health-picture.tsx'
import { RecoverDialog } from './recover.tsx'
import { RotateDialog } from './rotate.tsx'
import { SubscriptionState } from './subscription-state.tsx'
import type { Delivery, Subscription } from './types.ts'

const { subscription, health } = text.webhook

export function SubscriptionDetail({ id }: { id: string }) {
  const { can } = useApp()
  const path = `/api/webhooks/subscriptions/${id}`
  const { data, error, reload } = useLoaded<Subscription>(id, (signal) => get(path, { signal }))
  useTitle(data === null ? null : hostOf(data.url))
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  return (
    <div class="stack">
      <PageHead
        icon={Webhook}
        title={hostOf(data.url)}
        badges={<SubscriptionState of={data} />}
        subtitle={data.url}
      >
        {can('webhook:write') && <Actions subscription={data} onChange={reload} />}
      </PageHead>
      {data.deactivationReason !== null && <p class="notice bad">{data.deactivationReason}</p>}
      <div class="with-side">
        <div class="stack">
          <section class="card stack">
            <h2>{health.title}</h2>
            <HealthPicture subscriptionId={id} isLarge />
          </section>
          <LastDeliveries subscriptionId={id} />
        </div>
        <div class="stack">
          {can('webhook:write') && <TestEvent path={path} />}
          <Endpoint subscription={data} />
        </div>
      </div>
    </div>
  )
}

/** @returns the host of the address, by which people tell receivers apart */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

function Endpoint({ subscription: row }: { subscription: Subscription }) {
  const headers = Object.entries(row.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section class="card stack">
      <h2>{subscription.endpoint}</h2>
      <Values
        values={[
          [subscription.events, <Lines key="events" lines={row.events} />],
          row.unknownEvents.length > 0 && [subscription.unknownEvents, row.unknownEvents.join(', ')],
          row.customer !== null && [subscription.customer, row.customer],
          [subscription.secret, <code key="secret">{row.secret}</code>],
          headers.length > 0 && [subscription.headers, <Lines key="headers" lines={headers} />],
          [subscription.retrySeconds, row.retrySeconds?.join(', ') ?? subscription.usualRetries],
          [subscription.successes, row.successCount],
          [subscription.failures, row.failureCount],
          [subscription.lastSuccess, <MomentInWords key="success" value={row.lastSuccessAt} />],
          [subscription.lastFailure, <MomentInWords key="failure" value={row.lastFailureAt} />],
          [subscription.failingSince, <MomentInWords key="since" value={row.failingSince} />],
          [text.webhook.created, <MomentInWords key="created" value={row.createdAt} />],
        ]}
      />
    </section>
  )
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <div key={line}>
          <code>{line}</code>
        </div>
      ))}
    </>
  )
}

function Actions({ subscription: row, onChange }: { subscription: Subscription; onChange: () => void }) {
  const [dialog, setDialog] = useState<'rotate' | 'recover' | null>(null)
  const path = `/api/webhooks/subscriptions/${row.id}`
  const close = () => {
    setDialog(null)
    onChange()
  }
  const setActive = async () => {
    await request('PATCH', path, { body: { isActive: !row.isActive } })
    onChange()
  }
  const remove = async () => {
    await request('DELETE', path)
    goTo(hrefOf('/subscriptions'))
  }
  return (
    <>
      <a class="button" href={hrefOf(`/subscriptions/${row.id}/edit`)}>
        <Icon node={Pencil} />
        {text.action.edit}
      </a>
      <ActionButton act={setActive}>{row.isActive ? subscription.pause : subscription.activate}</ActionButton>
      <Menu label={text.action.more}>
        <button type="button" onClick={() => setDialog('rotate')}>
          {subscription.rotate}
        </button>
        <button type="button" onClick={() => setDialog('recover')}>
          {subscription.recover}
        </button>
        <ActionButton kind="danger" act={remove} question={text.form.confirmDelete(row.url)}>
          {text.action.delete}
        </ActionButton>
      </Menu>
      {dialog === 'rotate' && <RotateDialog path={path} onClose={close} />}
      {dialog === 'recover' && <RecoverDialog subscription={row} onClose={close} />}
    </>
  )
}

function TestEvent({ path }: { path: string }) {
  const [test, setTest] = useState<Delivery | null>(null)
  return (
    <section class="card stack">
      <h2>{subscription.testTitle}</h2>
      <p class="soft">{subscription.testHint}</p>
      <ActionButton
        kind="main"
        act={async () => setTest((await request<Delivery>('POST', `${path}/test`)).body)}
      >
        <Icon node={Send} />
        {subscription.test}
      </ActionButton>
      {test !== null && (
        <Done>
          {subscription.tested} <a href={hrefOf(`/deliveries/${test.id}`)}>{text.webhook.delivery.open}</a>
        </Done>
      )}
    </section>
  )
}

const shownDeliveries = '8'

function LastDeliveries({ subscriptionId }: { subscriptionId: string }) {
  const loaded = useLoaded<readonly Delivery[]>(`last ${subscriptionId}`, (signal) =>
    get('/api/webhooks/deliveries', { query: { subscriptionId, limit: shownDeliveries }, signal }),
  )
  return (
    <section class="card bare-table">
      <div class="row">
        <h2>{subscription.lastDeliveries}</h2>
        <a class="button end" href={hrefOf('/deliveries', { subscriptionId })}>
          {text.navigation.deliveries}
        </a>
      </div>
      <DataTable
        label={subscription.lastDeliveries}
        columns={lastColumns}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{text.webhook.delivery.empty}</p>}
      />
    </section>
  )
}

const lastColumns: readonly Column<Delivery>[] = [
  {
    label: text.webhook.event,
    show: ({ id, eventType }) => <a href={hrefOf(`/deliveries/${id}`)}>{eventType}</a>,
  },
  status(text.webhook.status, 'status'),
  figure(text.webhook.delivery.attempts, 'attempts'),
  moment(text.webhook.created, 'createdAt'),
]
