/**
 * How many deliveries wait and how many are dead. The catalogue's database is counted on request. Tenants' own
 * databases are mostly closed, so that their last count is remembered.
 */
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { countOfAll, countOfTenant, type Figures } from './sql.ts'

/** Counting reads all waiting and all dead deliveries. */
const believedMs = 15_000
/** Counting takes at most one part in so many of the time. */
const timeShare = 100

export class QueueFigures {
  readonly #catalogue: Database
  readonly #now: () => Date
  readonly #own = new Map<string, Figures>()
  #shared: { oldAtMs: number; figures: Promise<Figures> } | null = null

  constructor(catalogue: Database, now: () => Date) {
    this.#catalogue = catalogue
    this.#now = now
  }

  /** Of all databases. @throws DatabaseUnavailable */
  async sum(): Promise<Figures> {
    const shared = await this.#ofCatalogue()
    return [...this.#own.values()].reduce(add, shared)
  }

  /** @param database of a tenant with one of its own, while it is open */
  async look(tenantId: string, database: Database): Promise<void> {
    const data = new TenantData(tenantId, database.executor, database)
    this.#own.set(tenantId, await countOfTenant(data, database))
  }

  /** Nothing waits in other databases of tenants; dead deliveries stay there. */
  settle(marked: ReadonlySet<string>): void {
    for (const [tenantId, { dead }] of this.#own) {
      if (marked.has(tenantId)) continue
      if (dead === 0) this.#own.delete(tenantId)
      else this.#own.set(tenantId, { waiting: 0, undispatched: 0, dead })
    }
  }

  #ofCatalogue(): Promise<Figures> {
    const atMs = this.#now().getTime()
    if (this.#shared !== null && atMs < this.#shared.oldAtMs) return this.#shared.figures
    const beganMs = performance.now()
    const figures = countOfAll(new QueueData(this.#catalogue.executor, this.#catalogue))
    const shared = { oldAtMs: Number.POSITIVE_INFINITY, figures }
    this.#shared = shared
    figures.then(
      () => {
        shared.oldAtMs = atMs + Math.max(believedMs, timeShare * (performance.now() - beganMs))
      },
      () => {
        if (this.#shared === shared) this.#shared = null
      },
    )
    return figures
  }
}

function add(one: Figures, other: Figures): Figures {
  return {
    waiting: one.waiting + other.waiting,
    undispatched: one.undispatched + other.undispatched,
    dead: one.dead + other.dead,
  }
}
