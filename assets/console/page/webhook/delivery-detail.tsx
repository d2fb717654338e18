/** The page of a delivery: its state, its event, and its attempts. */
import { Send } from 'lucide'
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Loading } from '../../component/loading.tsx'
import { formatMoment, MomentInWords } from '../../component/moment-in-words.tsx'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { StatusBadge } from '../../component/status-badge.tsx'
import { Values } from '../../component/values.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf } from '../../router.ts'
import { useTitle } from '../../shell/title.ts'
import { text } from '../../text/text.ts'
import { AttemptCard } from './attempt.tsx'
import { SignatureExplained } from './signature.tsx'
import { SubscriptionName } from './subscription-name.tsx'
import type { Delivery, DeliveryWithAttempts } from './types.ts'

const { delivery } = text.webhook

export function DeliveryDetail({ id }: { id: string }) {
  const { can } = useApp()
  const path = `/api/webhooks/deliveries/${id}`
  const { data, error, reload } = useLoaded<DeliveryWithAttempts>(id, (signal) => get(path, { signal }))
  useTitle(data?.eventType ?? null)
  // The page of the new delivery does not show this one: `key` makes a page for each delivery.
  const [replayed, setReplayed] = useState<Delivery | null>(null)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  const last = data.attemptLog.at(-1)
  return (
    <div class="stack">
      <PageHead
        icon={Send}
        title={data.eventType}
        badges={<StatusBadge word={data.status} />}
        subtitle={nextOf(data)}
      >
        <button type="button" onClick={reload}>
          {text.administration.common.reload}
        </button>
        {can('webhook:write') && (
          <ActionButton
            kind="main"
            act={async () => setReplayed((await request<Delivery>('POST', `${path}/replay`)).body)}
          >
            {delivery.replay}
          </ActionButton>
        )}
      </PageHead>
      {replayed !== null && (
        <Done>
          {delivery.replayed} <a href={hrefOf(`/deliveries/${replayed.id}`)}>{delivery.open}</a>
        </Done>
      )}
      <Facts delivery={data} />
      <section class="stack" aria-label={delivery.attempts}>
        <h2>{delivery.attempts}</h2>
        {data.attemptLog.length === 0 && <p class="soft">{delivery.noAttempt}</p>}
        {data.attemptLog.toReversed().map((attempt) => (
          <AttemptCard key={attempt.id} attempt={attempt} />
        ))}
      </section>
      {last !== undefined && <SignatureExplained event={data.event} attempt={last} />}
      <section class="card stack">
        <h2>{delivery.data}</h2>
        <pre>{JSON.stringify(data.event.data, null, 2)}</pre>
      </section>
    </div>
  )
}

function nextOf({ status, nextAttemptAt, attempts, reason }: Delivery): string {
  const { nextSteps } = delivery
  switch (status) {
    case 'PENDING':
      return nextAttemptAt === null
        ? nextSteps.pending
        : nextSteps.attempt(attempts + 1, formatMoment(nextAttemptAt))
    case 'SENDING':
      return nextSteps.sending
    case 'SUCCEEDED':
      return nextSteps.succeeded
    case 'KEPT':
      return nextSteps.kept
    default:
      return nextSteps.dead(delivery.reasons[reason ?? ''] ?? reason ?? '')
  }
}

function Facts({ delivery: row }: { delivery: DeliveryWithAttempts }) {
  return (
    <Values
      isCard
      values={[
        [text.webhook.event, <code key="event">{row.eventId}</code>],
        [delivery.subscription, <SubscriptionName key="subscription" id={row.subscriptionId} />],
        [delivery.kind, delivery.kinds[row.kind] ?? row.kind],
        [delivery.eventAt, <MomentInWords key="eventAt" value={row.event.createdAt} />],
        [text.webhook.created, <MomentInWords key="created" value={row.createdAt} />],
        [delivery.finished, <MomentInWords key="finished" value={row.finishedAt} />],
      ]}
    />
  )
}
