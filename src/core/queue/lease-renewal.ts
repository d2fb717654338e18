/** Extends the leases of work in progress in one database, so that the work may take longer than its lease. */
import type { Database } from '../../database/executor.ts'
import type { RowKey } from '../../database/json-rows.ts'
import type { Logger } from '../context.ts'
import type { LeasedRow } from './leased-work.ts'

export interface RenewalOptions {
  queue: string
  leaseMs: number
  clock: () => Date
  log: Logger
  /** @returns the rows whose leases were extended; others have lost their lease */
  extend(database: Database, leased: readonly LeasedRow[], until: string): Promise<readonly RowKey[]>
}

interface LeasedWorkInProgress {
  row: LeasedRow
  untilMs: number
  /** Aborted when the lease could not be extended: another instance may do the work. */
  ending: AbortController
}

export class LeaseRenewal {
  readonly #options: RenewalOptions
  readonly #working = new Map<string, LeasedWorkInProgress>()
  #timer: NodeJS.Timeout | null = null

  constructor(options: RenewalOptions) {
    this.#options = options
  }

  /**
   * @param database the same for all work in progress, because the worker keeps it open until the last of it has ended
   * @returns a function that ends the renewal; `null` if this instance still does the work under an earlier lease
   */
  hold(database: Database, row: LeasedRow, ending: AbortController): (() => void) | null {
    const key = rowKey(row)
    if (this.#working.has(key)) return null
    this.#working.set(key, { row, untilMs: this.#nowMs() + this.#options.leaseMs, ending })
    this.#timer ??= setInterval(() => void this.#extend(database), this.#options.leaseMs / 3).unref()
    return () => {
      this.#working.delete(key)
      if (this.#working.size > 0 || this.#timer === null) return
      clearInterval(this.#timer)
      this.#timer = null
    }
  }

  async #extend(database: Database): Promise<void> {
    const { extend, leaseMs, log, queue } = this.#options
    const working = [...this.#working.values()]
    const untilMs = this.#nowMs() + leaseMs
    try {
      const rows = working.map(({ row }) => row)
      const extended = new Set((await extend(database, rows, new Date(untilMs).toISOString())).map(rowKey))
      for (const each of working) {
        if (extended.has(rowKey(each.row))) each.untilMs = untilMs
        else each.ending.abort()
      }
    } catch (error) {
      log.warn({ err: error, queue, leases: working.length }, 'leases not extended yet')
      // The next attempt begins in a third of the lease at the latest, and takes time itself.
      for (const each of working) if (each.untilMs < this.#nowMs() + leaseMs / 2) each.ending.abort()
    }
  }

  #nowMs(): number {
    return this.#options.clock().getTime()
  }
}

function rowKey({ tenantId, id }: RowKey): string {
  return `${tenantId}/${id}`
}
