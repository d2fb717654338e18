import { sql } from 'kysely'
import type { QueueData, TenantData } from '../../database/data.ts'
import { prepare, prepareForAll } from '../../database/prepared.ts'
import { linesOf } from '../queue/lane.ts'

export interface Figures {
  waiting: number
  undispatched: number
  dead: number
}

/** By the index of what waits alone. */
const waiting = prepareForAll((tables) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('queue', 'is not', null),
)

const undispatched = prepareForAll((tables) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dispatched_at', 'is', null),
)

/** Written out as its index has it. */
const isDead = sql<boolean>`delivery.status in ('DEAD', 'KEPT') and delivery.status = 'DEAD'`

/** Nobody can recover those whose subscription is gone. */
const dead = prepareForAll((tables) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isDead)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .whereRef('subscription.tenant_id', '=', 'delivery.tenant_id')
          .whereRef('subscription.id', '=', 'delivery.subscription_id'),
      ),
    ),
)

const waitingOfTenant = prepare((tables, p: { from: string; to: string }) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('queue', '>', p.from)
    .where('queue', '<', p.to),
)

const undispatchedOfTenant = prepare((tables) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dispatched_at', 'is', null),
)

const deadOfTenant = prepare((tables) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isDead)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .whereRef('subscription.id', '=', 'delivery.subscription_id'),
      ),
    ),
)

/** Of all tenants whose rows are in this database. */
export async function countOfAll(queue: QueueData): Promise<Figures> {
  const [waits, isNew, died] = await Promise.all([
    queue.all(waiting, {}),
    queue.all(undispatched, {}),
    queue.all(dead, {}),
  ])
  return figuresOf(waits, isNew, died)
}

export async function countOfTenant(data: TenantData): Promise<Figures> {
  const [waits, isNew, died] = await Promise.all([
    data.all(waitingOfTenant, linesOf(data.tenantId)),
    data.all(undispatchedOfTenant, {}),
    data.all(deadOfTenant, {}),
  ])
  return figuresOf(waits, isNew, died)
}

function figuresOf(...counts: { count: number }[][]): Figures {
  const [waits = 0, isNew = 0, died = 0] = counts.map(([row]) => row?.count)
  return { waiting: waits, undispatched: isNew, dead: died }
}
