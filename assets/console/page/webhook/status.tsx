/** The states of subscriptions, deliveries, receipts and runs, in words and in a colour. */
import { text } from '../../text/text.ts'
import type { Subscription } from './types.ts'

const good = ['SUCCEEDED']
const bad = ['DEAD', 'FORBIDDEN', 'UNHANDLED', 'LOOPED']

export function Status({ status }: { status: string }) {
  const kind = good.includes(status) ? ' good' : bad.includes(status) ? ' bad' : ''
  return <span class={`badge${kind}`}>{statusLabel(status)}</span>
}

export function statusLabel(status: string): string {
  return text.webhook.statuses[status] ?? status
}

export function SubscriptionState({ of: { isActive, deactivatedAt, failingSince } }: { of: Subscription }) {
  const { state } = text.webhook.subscription
  if (deactivatedAt !== null) return <span class="badge bad">{state.deactivated}</span>
  if (!isActive) return <span class="badge">{state.paused}</span>
  if (failingSince !== null) return <span class="badge bad">{state.failing}</span>
  return <span class="badge good">{state.active}</span>
}
