/** One delivery made into one exchange. */
import type { Sealer } from '../seal.ts'
import { type Target, type TargetRow, targetOf } from '../subscription/target.ts'
import { messageBody, messageHeaders } from './message.ts'
import type { DueDelivery } from './queue/sql.ts'
import { type Exchange, type Guard, send } from './send.ts'

export interface Exchanging {
  guard: Guard
  sealer: Sealer
  clock: () => Date
  deadlineMs: number
  signal: AbortSignal
}

/** @returns the exchange and its receiver @throws CannotUnseal when the secrets are of another master key */
export async function exchange(
  delivery: DueDelivery,
  row: TargetRow,
  { guard, sealer, clock, deadlineMs, signal }: Exchanging,
): Promise<{ exchange: Exchange; target: Target; startedAt: Date; endedAt: Date }> {
  const startedAt = clock()
  const target = targetOf(row, sealer, startedAt)
  const { eventId: id, eventType: type, eventAt: createdAt, tenantId, data, hops } = delivery
  const body = messageBody({ id, type, createdAt, tenantId, data })
  const headers = messageHeaders({ id, hops }, body, target.secrets, startedAt)
  const made = await send(
    { url: target.url, headers, ownHeaders: target.headers, body, deadlineMs, signal },
    guard,
  )
  return { exchange: made, target, startedAt, endedAt: clock() }
}
