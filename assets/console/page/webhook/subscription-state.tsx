/** Shows the state of a subscription as a badge. */
import { Badge, statusTone } from '../../component/status-badge.tsx'
import { text } from '../../text/text.ts'
import type { Subscription } from './types.ts'

export function SubscriptionState({ of: row }: { of: Subscription }) {
  const state = stateOf(row)
  return <Badge tone={statusTone(state.toUpperCase())}>{text.webhook.subscription.state[state]}</Badge>
}

function stateOf({ isActive, deactivatedAt, failingSince }: Subscription) {
  if (deactivatedAt !== null) return 'deactivated'
  if (!isActive) return 'paused'
  return failingSince === null ? 'active' : 'failing'
}
