/** Takes from the queue what may be sent now, and clears away what leads nowhere. */

import type { EventTypes } from '../../../core/events/event-type.ts'
import { newId } from '../../../core/id.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Dialect } from '../../../database/executor.ts'
import type { TargetRow } from '../../subscriptions/target.ts'
import { dispatchEvents } from '../dispatch/dispatch.ts'
import { claim, type Due, dueWithin } from './due/sql.ts'
import { allot, type Grant } from './due-index.ts'
import { parseLine, subscriptionKey } from './lane.ts'
import type { Slots } from './slots.ts'
import { type DueDelivery, endDue, lockSubscriptions, nextOfLines, subscriptionsOf } from './sql.ts'

/** Of one transaction: a commit is worth it, and none waits long for the others. */
const mostAtOnce = 256
/** Of one transaction, of all lines that lead nowhere: on SQLite everybody else waits meanwhile. */
export const mostEnded: Record<Dialect, number> = { sqlite: 100, postgres: 2000 }

export interface Pull {
  /** Tenants with events that are not dispatched yet. */
  tenantIds: readonly string[]
  /** Those of them whose deliveries wait. */
  paused: ReadonlySet<string>
  /** Lines that are due as far as this instance knows. */
  lines: readonly string[]
  slots: Slots
  eventTypes: EventTypes
  now: Date
  leaseMs: number
}

export interface Pulled {
  lease: string
  /** In the order in which they fell due, with a slot and the bytes taken for each. */
  deliveries: DueDelivery[]
  /** By `subscriptionKey`. */
  subscriptions: Map<string, TargetRow>
  /** What was looked at, and when it is due next. */
  lines: Map<string, string | null>
  /** There is more to dispatch at once. */
  isMore: boolean
}

/** Dispatches and claims in one transaction: an event costs one commit until it is sent. */
export async function pull(
  database: Database,
  { tenantIds, paused, lines, slots, eventTypes, now, leaseMs }: Pull,
): Promise<Pulled> {
  const moment = now.toISOString()
  const until = new Date(now.getTime() + leaseMs).toISOString()
  const lease = newId()
  let grants: Grant[] = []
  let fitting: Due[] = []
  try {
    const pulled = await database.transaction(async (transaction) => {
      const queue = new QueueData(transaction)
      const dispatched =
        tenantIds.length === 0
          ? { lines: new Set<string>(), isMore: false }
          : await dispatchEvents(queue, tenantIds, { eventTypes, now: moment })
      const all = [...new Set([...lines, ...dispatched.lines])].filter(
        (line) => !paused.has(parseLine(line).tenantId),
      )
      grants = allot(all, slots, mostAtOnce)
      const { usable, subscriptions, waiting } = await sift(queue, grants, moment)
      const due = await dueWithin(queue, usable, moment)
      fitting = due.filter(({ line, bytes }) => slots.takeBytes(parseLine(line), bytes))
      const deliveries = await claim(queue, fitting, { lease, until })
      const next = await nextOfLines(queue, all)
      const known = new Map(next.map(({ line, dueAt }) => [line, waiting.has(line) ? null : dueAt]))
      return { lease, deliveries, subscriptions, lines: known, isMore: dispatched.isMore }
    })
    giveBackUnused(slots, grants, pulled.deliveries)
    return pulled
  } catch (error) {
    giveBackUnused(slots, grants, [])
    for (const { line, bytes } of fitting) slots.giveBackBytes(parseLine(line), bytes)
    throw error
  }
}

/** Which of the lines lead to somebody who takes deliveries now. */
async function sift(queue: QueueData, grants: readonly Grant[], now: string) {
  const subscriptions = await readSubscriptions(queue, grants)
  const usable: Grant[] = []
  const waiting = new Set<string>()
  let most = mostEnded[queue.executor.dialect]
  for (const grant of grants) {
    const { tenantId, subscriptionId, lane } = parseLine(grant.line)
    const subscription = subscriptions.get(subscriptionKey(tenantId, subscriptionId))
    if (subscription === undefined) {
      most -= await endDue(queue, grant.line, { status: 'DEAD', reason: 'subscriptionDeleted', now, most })
    } else if (subscription.is_active || lane === 'test') {
      usable.push(grant)
    } else if (subscription.deactivated_at !== null) {
      most -= await endDue(queue, grant.line, { status: 'KEPT', reason: 'deactivated', now, most })
    } else {
      waiting.add(grant.line)
    }
  }
  return { usable, subscriptions, waiting }
}

/** Those whose deliveries are to be ended are locked and read again: somebody may just be reactivating them. */
async function readSubscriptions(queue: QueueData, grants: readonly Grant[]) {
  const keys = new Map(
    grants.map(({ line }) => {
      const { tenantId, subscriptionId } = parseLine(line)
      return [subscriptionKey(tenantId, subscriptionId), { tenantId, id: subscriptionId }]
    }),
  )
  const rows = keys.size === 0 ? [] : await subscriptionsOf(queue, [...keys.values()])
  const subscriptions = new Map(rows.map((row) => [keyOf(row), row]))
  const ended = rows.filter((row) => !row.is_active && row.deactivated_at !== null)
  if (ended.length === 0) return subscriptions
  for (const row of ended) subscriptions.delete(keyOf(row))
  const endedKeys = ended.map((row) => ({ tenantId: row.tenant_id, id: row.id }))
  for (const row of await lockSubscriptions(queue, endedKeys)) subscriptions.set(keyOf(row), row)
  return subscriptions
}

function keyOf({ tenant_id, id }: TargetRow): string {
  return subscriptionKey(tenant_id, id)
}

function giveBackUnused(slots: Slots, grants: readonly Grant[], deliveries: readonly DueDelivery[]): void {
  const claimed = Map.groupBy(deliveries, ({ line }) => line)
  for (const { line, most } of grants) {
    const unused = most - (claimed.get(line)?.length ?? 0)
    if (unused > 0) slots.giveBack(parseLine(line), unused)
  }
}
