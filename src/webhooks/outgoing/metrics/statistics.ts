/** How many deliveries wait and how many are dead, in all databases together. */
import { CachedCount } from '../../../core/cached-count.ts'
import type { Context } from '../../../core/context.ts'
import type { IntervalJob } from '../../../core/feature/job.ts'
import type { PendingTenants } from '../../../core/queue/pending-tenants.ts'
import { lookUpTenant } from '../../../core/tenant/directory.ts'
import { withTenantDatabase } from '../../../core/tenant/with-database.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { countDeadLettersOf, type DeadLettersOfSubscription } from '../dead-letter/count.ts'
import { countOfAll, countOfTenant, type QueueCounts } from './sql.ts'
import { countTroubledSubscriptions, type TroubledSubscriptions } from './tenant/sql.ts'

export type OwnCounts = QueueCounts &
  TroubledSubscriptions & { deadLetters: readonly DeadLettersOfSubscription[] }

/** Of a tenant; the others are in the count of its dead deliveries alone. */
const maxSubscriptions = 50

/** The shared database is counted on request. Tenants' own databases are mostly closed, so their last count is kept. */
export class QueueStatistics {
  readonly #shared: CachedCount<QueueCounts>
  readonly #own = new Map<string, OwnCounts>()

  constructor(catalogue: Database, now: () => Date) {
    this.#shared = new CachedCount(now, () => countOfAll(new QueueData(catalogue.executor, catalogue)))
  }

  /** @throws DatabaseUnavailable */
  async total(): Promise<QueueCounts> {
    const shared = await this.#shared.read()
    return [...this.#own.values()].reduce<QueueCounts>(add, shared)
  }

  /** As of the last counts in tenants' own databases, by tenant. */
  ofOwnDatabases(): ReadonlyMap<string, OwnCounts> {
    return this.#own
  }

  /** @param database the tenant's own, while it is open */
  async countTenant(tenantId: string, database: Database): Promise<void> {
    const data = new TenantData(tenantId, database.executor, database)
    const counts = await countOfTenant(data, database)
    const deadLetters = counts.dead === 0 ? [] : await countDeadLettersOf(data, maxSubscriptions)
    this.#own.set(tenantId, { ...counts, ...(await countTroubledSubscriptions(data)), deadLetters })
  }

  /** @param hasOwn whether the tenant is still there, with a database of its own */
  async keepOwn(hasOwn: (tenantId: string) => Promise<boolean>): Promise<void> {
    for (const tenantId of [...this.#own.keys()]) if (!(await hasOwn(tenantId))) this.#own.delete(tenantId)
  }

  /** Own databases of tenants that are not pending have no waiting deliveries. Their dead deliveries stay. */
  keepPending(pending: ReadonlySet<string>): void {
    for (const [tenantId, counts] of this.#own) {
      if (pending.has(tenantId)) continue
      const { dead, failing, deactivated } = counts
      if (dead + failing + deactivated === 0) this.#own.delete(tenantId)
      else this.#own.set(tenantId, { ...counts, waiting: 0, undispatched: 0 })
    }
  }
}

function add(one: QueueCounts, other: QueueCounts): QueueCounts {
  return {
    waiting: one.waiting + other.waiting,
    undispatched: one.undispatched + other.undispatched,
    dead: one.dead + other.dead,
  }
}

const everyMs = 30_000
/** Databases that do not answer delay a stop, and the counts of the others, by at most this. */
const maxRunMs = 5000

/** Counts in the own databases of pending tenants, which are few and are visited anyway. */
export function statisticsJob(statistics: QueueStatistics, pendingTenants: PendingTenants): IntervalJob {
  /** The tenants in the order of their last count, oldest first. */
  let order: string[] = []
  /** The finding at which an idle tenant was counted. Its counts are current until the next finding. */
  const counted = new Map<string, number | null>()
  const isCurrent = (id: string, finding: number | null) => finding !== null && counted.get(id) === finding
  return {
    name: 'count deliveries',
    everyMs,
    run: async (operator) => {
      const pending = new Set(await pendingTenants.all())
      await statistics.keepOwn(async (id) => (await lookUpTenant(operator, id))?.hasOwnDatabase === true)
      statistics.keepPending(pending)
      keepOnly(counted, pending)
      order = [...new Set([...order.filter((id) => pending.has(id)), ...pending])]
      const untilMs = performance.now() + maxRunMs
      for (const id of [...order]) {
        if (performance.now() >= untilMs) return
        const finding = pendingTenants.idleGeneration(id)
        if (isCurrent(id, finding)) continue
        order.push(...order.splice(order.indexOf(id), 1))
        if (await countOwn(operator, id, statistics)) counted.set(id, finding)
      }
    },
  }
}

function keepOnly(counted: Map<string, unknown>, ids: ReadonlySet<string>): void {
  for (const id of counted.keys()) if (!ids.has(id)) counted.delete(id)
}

/** Counts active tenants only. @returns whether the tenant was counted */
async function countOwn(operator: Context, id: string, statistics: QueueStatistics): Promise<boolean> {
  const { shared } = operator
  const tenant = await lookUpTenant(operator, id)
  if (tenant === null || !tenant.isActive || !tenant.hasOwnDatabase) return false
  try {
    await withTenantDatabase(shared, tenant, (database) => statistics.countTenant(tenant.id, database))
    return true
  } catch (error) {
    shared.log.debug({ err: error, tenantId: id }, 'deliveries of a tenant not counted')
    return false
  }
}
