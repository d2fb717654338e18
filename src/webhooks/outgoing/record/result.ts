/** What an exchange means for its delivery. Pure. */
import { newId } from '../../../core/id.ts'
import { lineName, parseLine } from '../queue/lane.ts'
import type { DueDelivery } from '../queue/sql.ts'
import { nextAttempt } from '../retry.ts'
import type { Exchange } from '../send.ts'
import type { DeliveryState, NewAttempt } from './sql.ts'

/** An attempt that was made. */
export interface Result {
  delivery: DueDelivery
  lease: string
  exchange: Exchange
  /** Seconds from each failed attempt to the next. */
  schedule: readonly number[]
  startedAt: Date
  endedAt: Date
}

/** The receiver says that it wants nothing any more. */
export function isGone({ exchange }: Result): boolean {
  return exchange.status === 410
}

export function attemptOf({ delivery, exchange, startedAt }: Result): NewAttempt {
  return {
    tenantId: delivery.tenantId,
    deliveryId: delivery.id,
    id: newId(),
    number: delivery.attempts + 1,
    startedAt: startedAt.toISOString(),
    durationMs: exchange.durationMs,
    outcome: exchange.outcome,
    errorClass: exchange.errorClass,
    status: exchange.status,
    requestHeaders: JSON.stringify(exchange.requestHeaders),
    responseHeaders: JSON.stringify(exchange.responseHeaders),
    responseExcerpt: exchange.bodyExcerpt,
  }
}

export function stateAfter(result: Result): DeliveryState {
  const { delivery, lease, exchange, endedAt } = result
  const attempts = delivery.attempts + 1
  const { tenantId, id } = delivery
  const finished = {
    tenantId,
    id,
    lease,
    attempts,
    queue: null,
    nextAt: null,
    finishedAt: endedAt.toISOString(),
  }
  if (exchange.outcome === 'success') return { ...finished, status: 'SUCCEEDED', reason: null }
  const next = nextAttempt({
    schedule: result.schedule,
    attempts: attempts - delivery.attemptsBefore,
    now: endedAt,
    retryAfter: exchange.retryAfter,
    gone: isGone(result),
  })
  if ('dead' in next) return { ...finished, status: 'DEAD', reason: next.dead }
  const line = parseLine(delivery.line)
  const queue = lineName({ ...line, lane: line.lane === 'first' ? 'retry' : line.lane })
  return {
    ...finished,
    status: 'PENDING',
    queue,
    nextAt: next.at.toISOString(),
    finishedAt: null,
    reason: null,
  }
}
