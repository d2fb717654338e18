import { sql } from 'kysely'
import { QueueData, type TenantData } from '../../database/data.ts'
import { lookedUp } from '../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../database/prepared.ts'
import { waitingKey } from '../../database/waiting-key.ts'
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
const dead = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isDead)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .where(lookedUp(dialect, 'subscription.tenant_id', 'delivery.tenant_id'))
          .where(lookedUp(dialect, 'subscription.id', 'delivery.subscription_id')),
      ),
    ),
)

/** By the names of its lines alone. */
const waitingOfTenant = prepareForAll((tables, p: { from: string; to: string }) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('queue', '>', p.from)
    .where('queue', '<', p.to),
)

const undispatchedOfTenant = prepareForAll((tables, p: { tenantId: string }, dialect) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(waitingKey(dialect, 'event.tenant_id'), '=', p.tenantId)
    .where('dispatched_at', 'is', null),
)

const deadOfTenant = prepare((tables, _p: object, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isDead)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .where(lookedUp(dialect, 'subscription.id', 'delivery.subscription_id')),
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
  const { tenantId } = data
  const queue = new QueueData(data.executor)
  const [waits, isNew, died] = await Promise.all([
    queue.all(waitingOfTenant, linesOf(tenantId)),
    queue.all(undispatchedOfTenant, { tenantId }),
    data.all(deadOfTenant, {}, false), // asked for so rarely that it is planned each time
  ])
  return figuresOf(waits, isNew, died)
}

function figuresOf(...counts: { count: number }[][]): Figures {
  const [waits = 0, isNew = 0, died = 0] = counts.map(([row]) => row?.count)
  return { waiting: waits, undispatched: isNew, dead: died }
}
