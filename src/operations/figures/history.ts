/** Keeps what this instance did in each of the last minutes, for a day: some 200 kB, whatever happens. */
import type { Context } from '../../core/context.ts'
import type { IntervalJob } from '../../core/feature/job.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import type { TenantHealth } from '../tenant-health/tenant-health.ts'
import { percentileOf } from './percentile.ts'
import type { Figures, SpanOfFigures } from './schema.ts'

const minuteMs = 60_000
/** How often the clock is read: the figures of a minute are stored soon after the minute has ended. */
const everyMs = 5000
const keptMinutes = 24 * 60

/** The ranges that can be read, each divided into at most 96 spans, which a chart can show. */
export const ranges = {
  '1h': { minutes: 60, spanMinutes: 1 },
  '6h': { minutes: 360, spanMinutes: 5 },
  '24h': { minutes: keptMinutes, spanMinutes: 15 },
} as const

export type RangeName = keyof typeof ranges

/** The figures of requests since the start of the process. */
type CountedRequests = Figures['requests']

interface FigureSources {
  requests: CountedRequests
  health: Pick<TenantHealth, 'totals'>
  clock: () => Date
}

/** The figures of a minute, in the order in which the array has them. */
const columns = ['errors', 'seconds', 'residentBytes', 'deliveries', 'jobs', 'mails'] as const
type Column = (typeof columns)[number]

export class MinuteFigures {
  readonly #sources: FigureSources
  readonly #bucketCount: number
  /** The arrays are ring buffers of one day. This one has the minute since 1970 of each slot; 0 for an empty slot. */
  readonly #minutes = new Float64Array(keptMinutes)
  readonly #values = new Float64Array(keptMinutes * columns.length)
  readonly #buckets: Uint32Array
  #last: { errors: number; seconds: number; counts: readonly number[] }
  /** The minute that has not ended. */
  #minute: number

  constructor(sources: FigureSources) {
    this.#sources = sources
    this.#last = readRequests(sources.requests)
    this.#minute = this.#minuteNow()
    this.#bucketCount = this.#last.counts.length
    this.#buckets = new Uint32Array(keptMinutes * this.#bucketCount)
  }

  get job(): IntervalJob {
    return { name: 'keep figures of the minute', everyMs, run: (context) => this.#sample(context) }
  }

  /** Stores what was counted since the last sample. */
  async #sample({ shared }: Context): Promise<void> {
    const minute = this.#minuteNow()
    if (minute === this.#minute) return
    this.#minute = minute
    const now = readRequests(this.#sources.requests)
    const before = this.#last
    this.#last = now
    const waiting = await this.#waiting(shared)
    const slot = (minute - 1) % keptMinutes
    this.#minutes[slot] = minute - 1
    this.#set(slot, 'errors', now.errors - before.errors)
    this.#set(slot, 'seconds', now.seconds - before.seconds)
    this.#set(slot, 'residentBytes', process.memoryUsage.rss())
    for (const name of ['deliveries', 'jobs', 'mails'] as const)
      this.#set(slot, name, waiting?.[name] ?? Number.NaN)
    for (const [index, count] of now.counts.entries())
      this.#buckets[slot * this.#bucketCount + index] = count - (before.counts[index] ?? 0)
  }

  /** Oldest first; `null` for a span without a sample: the instance did not run, or its minute has not ended. */
  read(name: RangeName): { from: string; spans: SpanOfFigures[] } {
    const { minutes, spanMinutes } = ranges[name]
    // The present minute has no figures yet, and the last span may be incomplete.
    const end = Math.ceil(this.#minute / spanMinutes) * spanMinutes
    const first = end - minutes
    const spans = Array.from({ length: minutes / spanMinutes }, (_, index) =>
      this.#span(first + index * spanMinutes, spanMinutes),
    )
    return { from: new Date(first * minuteMs).toISOString(), spans }
  }

  #span(first: number, minutes: number): SpanOfFigures {
    const slots = Array.from({ length: minutes }, (_, index) => first + index)
      .filter((minute) => minute > 0 && this.#minutes[minute % keptMinutes] === minute)
      .map((minute) => minute % keptMinutes)
    const last = slots.at(-1)
    if (last === undefined) return null
    const counts = Array.from({ length: this.#bucketCount }, (_, index) =>
      slots.reduce((total, slot) => total + (this.#buckets[slot * this.#bucketCount + index] ?? 0), 0),
    )
    const requests = counts.reduce((total, count) => total + count, 0)
    const sum = (name: Column) => slots.reduce((total, slot) => total + this.#value(slot, name), 0)
    const known = (name: Column) => slots.map((slot) => this.#value(slot, name)).filter(Number.isFinite)
    const max = (name: Column) => Math.max(...known(name))
    const waiting = { deliveries: max('deliveries'), jobs: max('jobs'), mails: max('mails') }
    const bounds = this.#sources.requests.buckets.map(({ upToSeconds }) => upToSeconds)
    return {
      at: new Date(first * minuteMs).toISOString(),
      requests,
      errors: sum('errors'),
      meanMs: requests === 0 ? null : (sum('seconds') / requests) * 1000,
      p99Ms: requests === 0 ? null : percentileOf(counts, bounds, 0.99) * 1000,
      residentBytes: max('residentBytes'),
      waiting: known('deliveries').length === 0 ? null : waiting,
    }
  }

  async #waiting({ log }: Context['shared']) {
    try {
      return (await this.#sources.health.totals()).waiting
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      log.debug({ err: error }, 'the queues were not counted for the figures of the minute')
      return null
    }
  }

  #minuteNow(): number {
    return Math.floor(this.#sources.clock().getTime() / minuteMs)
  }

  #value(slot: number, name: Column): number {
    return this.#values[slot * columns.length + columns.indexOf(name)] ?? 0
  }

  #set(slot: number, name: Column, value: number): void {
    this.#values[slot * columns.length + columns.indexOf(name)] = value
  }
}

function readRequests({ errors, seconds, buckets }: CountedRequests) {
  return { errors, seconds, counts: buckets.map(({ count }) => count) }
}
