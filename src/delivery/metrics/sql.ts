import { sql } from 'kysely'
import type { QueueData } from '../../database/data.ts'
import { prepareForAll } from '../../database/prepared.ts'

/** By the index of what waits alone. */
const depth = prepareForAll((tables) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('queue', 'is not', null),
)

export async function countWaiting(queue: QueueData): Promise<number> {
  const [row] = await queue.all(depth, {})
  return row?.count ?? 0
}

const dead = prepareForAll(
  (tables) =>
    tables
      .selectFrom('delivery')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(sql<boolean>`status in ('DEAD', 'KEPT') and status = 'DEAD'`), // written out, as its index has it
)

export async function countDead(queue: QueueData): Promise<number> {
  const [row] = await queue.all(dead, {})
  return row?.count ?? 0
}

const undispatched = prepareForAll((tables) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dispatched_at', 'is', null),
)

export async function countUndispatched(queue: QueueData): Promise<number> {
  const [row] = await queue.all(undispatched, {})
  return row?.count ?? 0
}
