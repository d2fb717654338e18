/** One delivery made into one exchange. */
import { CannotDecrypt, type SecretBox } from '../../core/encryption/secret-box.ts'
import { ownSchedule, type Target, type TargetRow, targetOf } from '../subscriptions/target.ts'
import { messageBody, messageHeaders } from './message.ts'
import type { DueDelivery } from './queue/sql.ts'
import { type Exchange, type Guard, send } from './send.ts'

export interface Exchanging {
  guard: Guard
  secretBox: SecretBox
  clock: () => Date
  deadlineMs: number
  signal: AbortSignal
}

/** @returns the exchange and the schedule of its receiver; without its secrets a failure of the class `secret` */
export async function exchange(
  delivery: DueDelivery,
  row: TargetRow,
  { guard, secretBox, clock, deadlineMs, signal }: Exchanging,
): Promise<{ exchange: Exchange; target: Pick<Target, 'retrySeconds'>; startedAt: Date; endedAt: Date }> {
  const startedAt = clock()
  const target = openTarget(row, secretBox, startedAt)
  if (target === null) {
    return { exchange: unsigned, target: { retrySeconds: ownSchedule(row) }, startedAt, endedAt: startedAt }
  }
  const { eventId: id, eventType: type, eventAt: createdAt, tenantId, data, hops, origin } = delivery
  const body = messageBody({ id, type, createdAt, tenantId, data })
  const headers = messageHeaders({ id, hops, origin }, body, target.secrets, startedAt)
  const made = await send(
    { url: target.url, headers, ownHeaders: target.headers, body, deadlineMs, signal },
    guard,
  )
  return { exchange: made, target, startedAt, endedAt: clock() }
}

/** Nothing goes out without its signature. */
const unsigned: Exchange = {
  outcome: 'failure',
  status: null,
  errorClass: 'secret',
  retryAfter: null,
  requestHeaders: {},
  responseHeaders: {},
  bodyExcerpt: '',
  durationMs: 0,
}

/** @returns `null` when the row is damaged, or sealed under another master key */
function openTarget(row: TargetRow, secretBox: SecretBox, now: Date): Target | null {
  try {
    return targetOf(row, secretBox, now)
  } catch (error) {
    if (error instanceof CannotDecrypt) return null
    throw error
  }
}
