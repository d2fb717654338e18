/** The state of a delivery after an attempt: finished, or due again by the retry schedule. Pure. */
import { newId } from '../../../core/id.ts'
import type { EndedAttempt } from '../../../core/queue/leased-work.ts'
import { nextAttempt } from '../../../core/queue/retry.ts'
import { scheduleOf } from '../../subscriptions/target.ts'
import type { ClaimedDelivery } from '../queue/claim.ts'
import { formatQueueKey, parseQueueKey } from '../queue/key.ts'
import type { HttpAttempt } from '../send/http-attempt.ts'
import type { DeliveryState, NewAttempt } from './sql.ts'

/** A delivery with the attempt that was made. */
export type DeliveryResult = EndedAttempt<ClaimedDelivery, HttpAttempt>

/** Whether the receiver refuses all further deliveries. */
export function isGone({ outcome }: DeliveryResult): boolean {
  return outcome.status === 410
}

export function attemptRow({ work, outcome: attempt, startedAt }: DeliveryResult): NewAttempt {
  return {
    tenant_id: work.tenantId,
    delivery_id: work.id,
    id: newId(),
    number: work.attempts + 1,
    started_at: startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    error_class: attempt.errorClass,
    status: attempt.status,
    request_headers: JSON.stringify(attempt.requestHeaders),
    response_headers: JSON.stringify(attempt.responseHeaders),
    response_excerpt: attempt.bodyExcerpt,
  }
}

/** @param retrySeconds the schedule of subscriptions without their own */
export function stateAfter(result: DeliveryResult, retrySeconds: readonly number[]): DeliveryState {
  const { work: delivery, lease, outcome: attempt, endedAt } = result
  const attempts = delivery.attempts + 1
  const { tenantId, id } = delivery
  const finishedAt = endedAt.toISOString()
  const finished = { tenantId, id, lease, attempts, queue: null, nextAt: null, finishedAt }
  if (attempt.outcome === 'success') return { ...finished, status: 'SUCCEEDED', reason: null }
  const next = nextAttempt({
    schedule: scheduleOf(delivery.target) ?? retrySeconds,
    attempts: attempts - delivery.attemptsBefore,
    now: endedAt,
    retryAfter: attempt.retryAfter,
    isGone: isGone(result),
  })
  if ('dead' in next) return { ...finished, status: 'DEAD', reason: next.dead }
  const key = parseQueueKey(delivery.key)
  return {
    ...finished,
    status: 'PENDING',
    queue: formatQueueKey({ ...key, kind: key.kind === 'first' ? 'retry' : key.kind }),
    nextAt: next.at.toISOString(),
    finishedAt: null,
    reason: null,
  }
}
