/** Caches the reach of each subscriber (what row and field rules grant) while a batch of events is decided. */
import type { RowReach } from '../../database/row-reach.ts'
import type { Entry } from './list-index.ts'
import type { ListSubscriber } from './list-subscriber.ts'

export function reachesOf(): (entry: Entry) => RowReach | null {
  const known = new Map<ListSubscriber, RowReach | null>()
  return ({ subscriber }) => {
    let reach = known.get(subscriber)
    if (reach === undefined) {
      reach = subscriber.reach()
      known.set(subscriber, reach)
    }
    return reach
  }
}
