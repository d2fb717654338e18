/** Counts the waiting and the dead deliveries of all databases together: the shared one, and tenants' own ones. */
import { CachedCount } from '../../../core/cached-count.ts'
import type { OwnCounts } from '../../../core/queue/own-counts.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { countDeadLettersOf, type DeadLettersOfSubscription } from '../dead-letter/count.ts'
import { countOfAll, countOfTenant, type QueueCounts } from './sql.ts'
import { countTroubledSubscriptions, type TroubledSubscriptions } from './tenant/sql.ts'

export type OwnDeliveries = QueueCounts &
  TroubledSubscriptions & { deadLetters: readonly DeadLettersOfSubscription[] }

/** The most subscriptions of a tenant whose dead deliveries are counted one by one. The tenant's total has all. */
const maxSubscriptions = 50

/**
 * The shared database is counted on request. Tenants' own databases are mostly closed, so their last count is kept.
 */
export class QueueStatistics implements OwnCounts {
  readonly #shared: CachedCount<QueueCounts>
  readonly #own = new Map<string, OwnDeliveries>()

  constructor(catalogue: Database, now: () => Date) {
    this.#shared = new CachedCount(now, () => countOfAll(new QueueData(catalogue.executor, catalogue)))
  }

  /** @throws DatabaseUnavailable */
  async total(): Promise<QueueCounts> {
    const shared = await this.#shared.read()
    return [...this.#own.values()].reduce<QueueCounts>(add, shared)
  }

  /** @returns the last counts in tenants' own databases, by tenant */
  ofOwnDatabases(): ReadonlyMap<string, OwnDeliveries> {
    return this.#own
  }

  async countTenant(tenantId: string, database: Database): Promise<void> {
    const data = new TenantData(tenantId, database.executor, database)
    const counts = await countOfTenant(data, database)
    const deadLetters = counts.dead === 0 ? [] : await countDeadLettersOf(data, maxSubscriptions)
    this.#own.set(tenantId, { ...counts, ...(await countTroubledSubscriptions(data)), deadLetters })
  }

  /** Forgets tenants that no longer have a database of their own. */
  async keepOwn(hasOwn: (tenantId: string) => Promise<boolean>): Promise<void> {
    for (const tenantId of [...this.#own.keys()]) if (!(await hasOwn(tenantId))) this.#own.delete(tenantId)
  }

  /** Without work, a tenant is not pending: its own database has no waiting deliveries, but may have dead ones. */
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
