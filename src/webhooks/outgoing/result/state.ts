/** The state of a delivery after an attempt: finished, or due again by the retry schedule. Pure. */
import { newId } from '../../../core/id.ts'
import { nextAttempt } from '../../../core/queue/retry.ts'
import { formatQueueKey, parseQueueKey } from '../queue/key.ts'
import type { DueDelivery } from '../queue/sql.ts'
import type { HttpAttempt } from '../send/http-attempt.ts'
import type { DeliveryState, NewAttempt } from './sql.ts'

/** A delivery with the attempt that was made. */
export interface DeliveryResult {
  delivery: DueDelivery
  lease: string
  attempt: HttpAttempt
  /** Seconds between attempts. */
  schedule: readonly number[]
  startedAt: Date
  endedAt: Date
}

/** Whether the receiver refuses all further deliveries. */
export function isGone({ attempt }: DeliveryResult): boolean {
  return attempt.status === 410
}

export function attemptRow({ delivery, attempt, startedAt }: DeliveryResult): NewAttempt {
  return {
    tenantId: delivery.tenantId,
    deliveryId: delivery.id,
    id: newId(),
    number: delivery.attempts + 1,
    startedAt: startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    errorClass: attempt.errorClass,
    status: attempt.status,
    requestHeaders: JSON.stringify(attempt.requestHeaders),
    responseHeaders: JSON.stringify(attempt.responseHeaders),
    responseExcerpt: attempt.bodyExcerpt,
  }
}

export function stateAfter(result: DeliveryResult): DeliveryState {
  const { delivery, lease, attempt, schedule, endedAt } = result
  const attempts = delivery.attempts + 1
  const { tenantId, id } = delivery
  const finishedAt = endedAt.toISOString()
  const finished = { tenantId, id, lease, attempts, queue: null, nextAt: null, finishedAt }
  if (attempt.outcome === 'success') return { ...finished, status: 'SUCCEEDED', reason: null }
  const next = nextAttempt({
    schedule,
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
