/** Tells the other instances where this one has more to send than it may. */
import type { Logger } from '../../core/context.ts'
import { newId } from '../../core/id.ts'
import type { Database } from '../../database/executor.ts'

const prefix = 'deliveries:'
/** In place of a tenant: the database of the catalogue. */
export const inCatalogue = ''

export class PeerNotifier {
  readonly #catalogue: Database
  readonly #log: Logger
  readonly #everyMs: number
  /** So that an instance does not answer its own call. */
  readonly #instance = newId()
  /** Calls that gather until the next announcement: one commit is for all of them. */
  readonly #semaphore = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  /** @param everyMs announcements are this far apart */
  constructor(catalogue: Database, log: Logger, everyMs: number) {
    this.#catalogue = catalogue
    this.#log = log
    this.#everyMs = everyMs
  }

  /** Never from inside a transaction that publishes. @param place a tenant with a database of its own, or `inCatalogue` */
  call(place: string): void {
    if (this.#catalogue.dialect !== 'postgres') return
    this.#semaphore.add(place)
    if (this.#timer === null) this.#announce()
  }

  /** @returns the place that another instance calls for, `null` if the change is something else */
  read(change: string): string | null {
    if (!change.startsWith(prefix)) return null
    const [instance, place = inCatalogue] = change.slice(prefix.length).split('/')
    return instance === this.#instance ? null : place
  }

  stop(): void {
    this.#semaphore.clear()
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #announce(): void {
    const places = [...this.#semaphore]
    this.#semaphore.clear()
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (this.#semaphore.size > 0) this.#announce()
    }, this.#everyMs).unref()
    this.#catalogue
      .transaction(async (transaction) => {
        for (const place of places) await transaction.announce(`${prefix}${this.#instance}/${place}`)
      })
      .catch((error: unknown) => this.#log.warn({ err: error }, 'other instances not called'))
  }
}
