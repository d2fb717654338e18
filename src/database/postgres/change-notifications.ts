import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type ChangeListener, resync } from '../executor.ts'

export const channel = 'tenantry'

const retryMs = 500
const probeMs = 500

/**
 * Hears what other instances announce, on a connection of its own. While it is down nothing is heard, so
 * each return, and each round of trying, tells the listeners to forget what they remembered.
 */
export class ChangeNotifications {
  readonly #options: pg.ClientConfig
  readonly #listeners: ChangeListener[] = []
  #client: pg.Client | null = null
  #running: Promise<void> | null = null
  readonly #stop = new AbortController()

  constructor(options: pg.ClientConfig) {
    this.#options = options
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener)
    this.#running ??= this.#keepListening()
  }

  notify(change: string): void {
    for (const listener of this.#listeners) listener(change)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#client?.end().catch(() => undefined) // it may be broken already; it is going away either way
    await this.#running
  }

  async #keepListening(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#listenUntilBroken()
      this.notify(resync)
      await this.#pause(retryMs)
    }
  }

  async #listenUntilBroken(): Promise<void> {
    const client = new pg.Client(this.#options)
    const broken = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ payload }) => this.notify(payload ?? resync))
    try {
      await client.connect()
      this.#client = client
      await client.query(`LISTEN ${channel}`)
      this.notify(resync)
      await Promise.race([broken, this.#probe(client)])
    } catch {
      // Not reachable: the loop tries again, and every request that needs the database says so itself.
    } finally {
      this.#client = null
      await client.end().catch(() => undefined)
    }
  }

  /** A peer that vanished without a word is noticed by a question it does not answer. */
  async #probe(client: pg.Client): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#pause(probeMs)
      const answer = client.query('select 1').then(() => true)
      if (!(await Promise.race([answer, delay(probeMs, false, { ref: false })]))) return
    }
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
  }
}
