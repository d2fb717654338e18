/** One attempt at a delivery: decrypts the secrets of the subscription, signs the message and sends it. */
import { CannotDecrypt, type SecretBox } from '../../../core/encryption/secret-box.ts'
import type { AddressGuard } from '../../../core/outgoing/address-guard.ts'
import { scheduleOf, type Target, type TargetRow, toTarget } from '../../subscriptions/target.ts'
import type { DueDelivery } from '../queue/sql.ts'
import { attemptHttp, type HttpAttempt } from './http-attempt.ts'
import { messageBody, messageHeaders } from './signed-message.ts'

export interface Sender {
  guard: AddressGuard
  secretBox: SecretBox
  clock: () => Date
  deadlineMs: number
  /** Aborted when a stop has waited long enough. */
  signal: AbortSignal
}

export interface MadeAttempt {
  attempt: HttpAttempt
  /** The schedule of the subscription, in seconds; `null` for that of the settings. */
  ownSchedule: readonly number[] | null
  startedAt: Date
  endedAt: Date
}

/** @returns a failure of the class `secret` for a subscription whose secrets cannot be decrypted */
export async function attemptDelivery(
  delivery: DueDelivery,
  row: TargetRow,
  { guard, secretBox, clock, deadlineMs, signal }: Sender,
): Promise<MadeAttempt> {
  const startedAt = clock()
  const schedule = scheduleOf(row)
  const target = decryptTarget(row, secretBox, startedAt)
  if (target === null) return { attempt: unsigned, ownSchedule: schedule, startedAt, endedAt: startedAt }
  const { eventId: id, eventType: type, eventAt: createdAt, tenantId, data, hops, origin } = delivery
  const body = messageBody({ id, type, createdAt, tenantId, data })
  const headers = messageHeaders({ id, hops, origin }, body, target.secrets, startedAt)
  const attempt = await attemptHttp(
    { url: target.url, headers, ownHeaders: target.headers, body, deadlineMs, signal },
    guard,
  )
  return { attempt, ownSchedule: schedule, startedAt, endedAt: clock() }
}

/** Nothing is sent without a signature. */
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

/** @returns `null` when the row is damaged, or encrypted under an unknown master key */
function decryptTarget(row: TargetRow, secretBox: SecretBox, now: Date): Target | null {
  try {
    return toTarget(row, secretBox, now)
  } catch (error) {
    if (error instanceof CannotDecrypt) return null
    throw error
  }
}
