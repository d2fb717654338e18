import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Loading } from '../../component/loading.tsx'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { useLoaded } from '../../load.ts'
import { goTo, hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { HealthPicture } from './health-picture.tsx'
import { Moment } from './moment.tsx'
import { RecoverDialog } from './recover.tsx'
import { RotateDialog } from './rotate.tsx'
import { SubscriptionState } from './status.tsx'
import type { Delivery, Subscription } from './types.ts'

const { subscription, health } = text.webhook

export function SubscriptionDetail({ id }: { id: string }) {
  const { can } = useApp()
  const path = `/api/webhooks/subscriptions/${id}`
  const { data, error, reload } = useLoaded<Subscription>(id, (signal) => get(path, { signal }))
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  return (
    <div class="stack">
      <p>
        <a href={hrefOf('/subscriptions')}>{text.navigation.subscriptions}</a>
      </p>
      <div class="row">
        <h1 class="wrap">{data.url}</h1>
        <SubscriptionState of={data} />
      </div>
      {data.deactivationReason !== null && <p class="notice bad">{data.deactivationReason}</p>}
      <div class="row">
        <a class="button" href={hrefOf('/deliveries', { subscriptionId: id })}>
          {text.navigation.deliveries}
        </a>
        {can('webhook:write') && <Actions subscription={data} onChange={reload} />}
      </div>
      <section class="card stack">
        <h2>{health.title}</h2>
        <HealthPicture subscriptionId={id} isLarge />
      </section>
      <Values subscription={data} />
    </div>
  )
}

function Values({ subscription: row }: { subscription: Subscription }) {
  const values: [label: string, value: preact.ComponentChildren][] = [
    [
      subscription.events,
      row.events.map((event) => (
        <div key={event}>
          <code>{event}</code>
        </div>
      )),
    ],
    ...(row.unknownEvents.length === 0
      ? []
      : ([[subscription.unknownEvents, row.unknownEvents.join(', ')]] as [string, string][])),
    ...(row.customer === null ? [] : ([[subscription.customer, row.customer]] as [string, string][])),
    [subscription.secret, <code key="secret">{row.secret}</code>],
    [
      subscription.headers,
      Object.entries(row.headers).map(([name, value]) => (
        <div key={name}>
          <code>
            {name}: {value}
          </code>
        </div>
      )),
    ],
    [
      subscription.retries,
      row.retrySeconds === null ? subscription.usualRetries : row.retrySeconds.join(', '),
    ],
    [subscription.successes, row.successCount],
    [subscription.failures, row.failureCount],
    [subscription.lastSuccess, <Moment key="success" value={row.lastSuccessAt} />],
    [subscription.lastFailure, <Moment key="failure" value={row.lastFailureAt} />],
    [subscription.failingSince, <Moment key="since" value={row.failingSince} />],
    [text.webhook.created, <Moment key="created" value={row.createdAt} />],
  ]
  return (
    <dl class="values card">
      {values.map(([label, value]) => [
        <dt key={`${label}-name`}>{label}</dt>,
        <dd key={label}>{Array.isArray(value) && value.length === 0 ? text.state.none : value}</dd>,
      ])}
    </dl>
  )
}

function Actions({ subscription: row, onChange }: { subscription: Subscription; onChange: () => void }) {
  const [dialog, setDialog] = useState<'rotate' | 'recover' | null>(null)
  const [test, setTest] = useState<Delivery | null>(null)
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
      <ActionButton act={async () => setTest((await request<Delivery>('POST', `${path}/test`)).body)}>
        {subscription.test}
      </ActionButton>
      <ActionButton act={setActive}>{row.isActive ? subscription.pause : subscription.activate}</ActionButton>
      <button type="button" onClick={() => setDialog('rotate')}>
        {subscription.rotate}
      </button>
      <button type="button" onClick={() => setDialog('recover')}>
        {subscription.recover}
      </button>
      <ActionButton kind="danger" act={remove} question={text.form.confirmDelete(row.url)}>
        {text.action.delete}
      </ActionButton>
      <a class="button main" href={hrefOf(`/subscriptions/${row.id}/edit`)}>
        {text.action.edit}
      </a>
      {test !== null && (
        <Done>
          {subscription.tested} <a href={hrefOf(`/deliveries/${test.id}`)}>{text.webhook.delivery.open}</a>
        </Done>
      )}
      {dialog === 'rotate' && <RotateDialog path={path} onClose={close} />}
      {dialog === 'recover' && <RecoverDialog subscription={row} onClose={close} />}
    </>
  )
}
