/** Counts the successful and the failed deliveries of a subscription, hour by hour. */
import { type Context, now } from '../../../core/context.ts'
import { firstIdAt, momentOf, newId } from '../../../core/id.ts'
import { sightOf } from '../../subscriptions/access.ts'
import { subscriptions } from '../../subscriptions/readable.ts'
import type { HourlyHealth } from './schema.ts'
import { deliveriesByHour, maxCountedDeliveries } from './sql.ts'

const shownHours = 24
const hourMs = 3_600_000
/** The margin for the clocks of instances, which differ by less than this. */
const marginMs = 60_000

/** @throws ServiceError `notFound` */
export async function getSubscriptionHealth(context: Context, subscriptionId: string): Promise<HourlyHealth> {
  const { id } = await subscriptions.show(context, subscriptionId)
  const { hidden, byRow } = await sightOf(context)
  const nowMs = Date.parse(now(context))
  const firstMs = nowMs - (nowMs % hourMs) - (shownHours - 1) * hourMs
  const rows = await deliveriesByHour(context.data, {
    subscriptionId: id,
    // Ids may come from another clock, which runs as fast: only the distance from a new id counts.
    from: firstIdAt(new Date(momentOf(newId()) - (nowMs - firstMs) - marginMs)),
    since: new Date(firstMs).toISOString(),
    hiddenTypes: JSON.stringify([...hidden, ...byRow]), // events of rows are not counted: no figure checks each row
  })
  const found = new Map(rows.map((row) => [row.hour, row]))
  const hours = Array.from({ length: shownHours }, (_, index) => {
    const hour = new Date(firstMs + index * hourMs).toISOString()
    return { hour, delivered: found.get(hour)?.delivered ?? 0, failed: found.get(hour)?.failed ?? 0 }
  })
  return { hours, isComplete: rows.reduce((sum, { read }) => sum + read, 0) < maxCountedDeliveries }
}
