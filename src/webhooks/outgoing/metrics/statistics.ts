/** How many deliveries wait and how many are dead, in all databases together. */
import { CachedCount } from '../../../core/cached-count.ts'
import type { OwnCounts } from '../../../core/queue/own-counts.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { countDeadLettersOf, type DeadLettersOfSubscription } from '../dead-letter/count.ts'
import { countOfAll, countOfTenant, type QueueCounts } from './sql.ts'
import { countTroubledSubscriptions, type TroubledSubscriptions } from './tenant/sql.ts'

export type OwnDeliveries = QueueCounts &
  TroubledSubscriptions & { deadLetters: readonly DeadLettersOfSubscription[] }

/** Subscriptions of a tenant that are counted each; the others are in the count of its dead deliveries alone. */
const maxSubscriptions = 50

/** The shared database is counted on request. Tenants' own databases are mostly closed, so their last count is kept. */
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
