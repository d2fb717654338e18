import type { Context } from '../context.ts'
import { parseKeepingNumbers } from '../schema/exact-number.ts'
import { storedEvents } from './sql.ts'

export interface StoredEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

/** Lists the events of the tenant that retention has not removed yet, the oldest first. */
export async function listEvents({ data }: Context, limit: number): Promise<StoredEvent[]> {
  const rows = await storedEvents(data, limit)
  return rows.map(({ id, type, data: text }) => {
    const payload = parseKeepingNumbers(text) as StoredEvent['data'] // an object by the schema of events
    return { id, type, data: payload }
  })
}
