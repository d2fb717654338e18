/** One attempt at a delivery: decrypts the secrets of the subscription, signs the message and sends it. */
import type { Shared } from '../../../core/context.ts'
import type { AddressGuard } from '../../../core/outgoing/address-guard.ts'
import type { RunningAttempt } from '../../../core/queue/leased-work.ts'
import { decryptedOrNull } from '../../decrypted.ts'
import { toTarget } from '../../subscriptions/target.ts'
import type { ClaimedDelivery } from '../queue/claim.ts'
import { attemptHttp, type HttpAttempt } from './http-attempt.ts'
import { messageBody, messageHeaders } from './signed-message.ts'

interface Sender {
  shared: Shared
  guard: AddressGuard
  deadlineMs: number
}

/** @returns the outcome: a failure of the class `secret` if the secrets of the subscription cannot be decrypted */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  { shared, guard, deadlineMs }: Sender,
  { startedAt, stopping: signal }: Pick<RunningAttempt, 'startedAt' | 'stopping'>,
): Promise<HttpAttempt> {
  const target = decryptedOrNull(() => toTarget(delivery.target, shared.secretBox, startedAt))
  if (target === null) return unsigned
  const { eventId: id, eventType: type, eventAt: createdAt, tenantId, data, hops, origin } = delivery
  const body = messageBody({ id, type, createdAt, tenantId, data })
  const headers = messageHeaders({ id, hops, origin }, body, target.secrets, startedAt)
  return attemptHttp(
    { url: target.url, headers, ownHeaders: target.headers, body, deadlineMs, signal },
    guard,
  )
}

/** The outcome of a delivery that cannot be signed: nothing is sent without a signature. */
const unsigned: HttpAttempt = {
  outcome: 'failure',
  status: null,
  errorClass: 'secret',
  retryAfter: null,
  requestHeaders: {},
  responseHeaders: {},
  bodyExcerpt: '',
  durationMs: 0,
}
