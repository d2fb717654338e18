/** Deliveries that failed for good, in all tenants. */
import { CachedCount } from '../../core/cached-count.ts'
import type { ListKey } from '../../core/page.ts'
import type { Database } from '../../database/executor.ts'
import {
  countDeadLetters,
  type DeadLettersOfSubscription,
  tenantsWithDeadLetters,
} from '../../webhooks/outgoing/dead-letter/count.ts'
import type { QueueStatistics } from '../../webhooks/outgoing/metrics/statistics.ts'

/** Those with the most; the others of a large installation come when these are fewer. */
const maxSubscriptions = 1000

export interface DeadLetterParts {
  /** The database of the catalogue. */
  database: Database
  clock: () => Date
  /** Has the last counts in tenants' own databases. */
  statistics: QueueStatistics
}

export class DeadLetters {
  readonly #database: Database
  readonly #statistics: QueueStatistics
  readonly #shared: CachedCount<DeadLettersOfSubscription[]>

  constructor({ database, clock, statistics }: DeadLetterParts) {
    this.#database = database
    this.#statistics = statistics
    this.#shared = new CachedCount(clock, () => countDeadLetters(database, maxSubscriptions))
  }

  /** In the order of `deadLetterKey`. @throws StatementTimedOut, DatabaseUnavailable */
  async list(): Promise<DeadLettersOfSubscription[]> {
    const own = [...this.#statistics.ofOwnDatabases().values()].flatMap(({ deadLetters }) => deadLetters)
    return [...(await this.#shared.read()), ...own].sort((one, other) =>
      deadLetterKey.of(one) < deadLetterKey.of(other) ? -1 : 1,
    )
  }

  /** In the order of their ids. @throws StatementTimedOut, DatabaseUnavailable */
  async tenants(after: string, limit: number): Promise<string[]> {
    const shared = await tenantsWithDeadLetters(this.#database, after, limit)
    const own = [...this.#statistics.ofOwnDatabases()]
      .filter(([id, { dead }]) => dead > 0 && id > after)
      .map(([id]) => id)
    return [...new Set([...shared, ...own])].toSorted().slice(0, limit)
  }
}

/** Those with the most first. */
export const deadLetterKey: ListKey<DeadLettersOfSubscription> = {
  of: ({ deliveries, tenantId, subscriptionId }) => {
    const rank = `${Number.MAX_SAFE_INTEGER - deliveries}`.padStart(16, '0')
    return `${rank}${tenantId}/${subscriptionId}`
  },
  accepts: (text) => /^\d{16}.+\/./.test(text),
}
