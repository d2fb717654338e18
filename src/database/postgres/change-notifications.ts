import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type ChangeListener, resync } from '../executor.ts'
import { AnswerTimeout } from './answer-timeout.ts'
import { type ConnectionConfig, openClient } from './connect.ts'

/** The channel of LISTEN and NOTIFY by which instances tell each other of changes. */
export const channel = 'tenantry'

const retryMs = 500
const probeMs = 500

/**
 * Receives the change announcements of other instances on a connection of its own. Announcements are lost while that
 * connection is down, so that listeners drop their caches (`resync`) after each reconnection and each attempt at one.
 */
export class ChangeNotifications {
  readonly #options: ConnectionConfig
  readonly #listeners: ChangeListener[] = []
  #client: pg.Client | null = null
  #running: Promise<void> | null = null
  readonly #stop = new AbortController()

  constructor(options: ConnectionConfig) {
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
    await this.#client?.end().catch(() => undefined) // it may be broken already
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
    let client: pg.Client | null = null
    try {
      const opened = await openClient(this.#options)
      client = opened
      this.#client = opened
      const broken = new Promise<void>((resolve) => {
        opened.on('error', () => resolve())
        opened.on('end', () => resolve())
      })
      opened.on('notification', ({ payload }) => this.notify(payload ?? resync))
      await opened.query(`LISTEN ${channel}`)
      this.notify(resync)
      await Promise.race([broken, this.#probe(opened)])
    } catch {
      // The loop tries again, and requests that need the database report the failure.
    } finally {
      this.#client = null
      await client?.end().catch(() => undefined)
    }
  }

  /** Detects a silent loss of the connection by a query without a reply. */
  async #probe(client: pg.Client): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#pause(probeMs)
      if (!(await isAnswered(client))) return
    }
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
  }
}

/** @returns false if the server does not answer within `probeMs`; rejects if the connection ends first */
function isAnswered(client: pg.Client): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timeout = new AnswerTimeout(probeMs, () => resolve(false))
    client
      .query('select 1')
      .then(() => resolve(true), reject)
      .finally(() => timeout.end())
  })
}
