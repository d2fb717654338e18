/** Notifies other instances that a database has more due work than this instance may have in progress. */
import type { Database } from '../../database/executor.ts'
import type { Logger } from '../context.ts'
import { newId } from '../id.ts'
import { catalogueKey } from './served-tenants.ts'

const prefix = 'queue:'
const announceEveryMs = 500

export class PeerNotifier {
  readonly #catalogue: Database
  readonly #log: Logger
  /** An instance ignores its own announcements. */
  readonly #instance = newId()
  /** Databases for the next announcement: one commit announces all of them. */
  readonly #overloaded = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(catalogue: Database, log: Logger) {
    this.#catalogue = catalogue
    this.#log = log
  }

  /**
   * Asks other instances to help. It must not be called inside a transaction that publishes events.
   * @param key a tenant with its own database, or `catalogueKey`
   */
  notify(key: string): void {
    if (this.#catalogue.dialect !== 'postgres') return
    this.#overloaded.add(key)
    if (this.#timer === null) this.#announce()
  }

  /** @returns the key that another instance announces; `null` for any other change */
  read(change: string): string | null {
    if (!change.startsWith(prefix)) return null
    const [instance, key = catalogueKey] = change.slice(prefix.length).split('/')
    return instance === this.#instance ? null : key
  }

  stop(): void {
    this.#overloaded.clear()
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #announce(): void {
    const keys = [...this.#overloaded]
    this.#overloaded.clear()
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (this.#overloaded.size > 0) this.#announce()
    }, announceEveryMs).unref()
    this.#catalogue
      .transaction(async (transaction) => {
        for (const key of keys) await transaction.announce(`${prefix}${this.#instance}/${key}`)
      })
      .catch((error: unknown) => this.#log.warn({ err: error }, 'other instances not notified'))
  }
}
