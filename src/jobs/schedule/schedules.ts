/** Begins the occurrences of schedules, and stores their jobs as these become due. */
import type { Context } from '../../core/context.ts'
import type { IntervalJob } from '../../core/feature/job.ts'
import type { Schedule } from '../../core/feature/schedule.ts'
import { activeTenants } from '../../core/tenant/each-tenant.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { storeInTenantDatabases } from './due.ts'
import { type Place, placesOf, windowMsOf } from './jitter.ts'
import { beginOccurrence, storeDueJobs } from './occurrence.ts'
import type { ScheduleRow } from './sql.ts'

const everyMs = 1000
/** The most batches of one schedule in one run: more would be a spike of load. */
const maxBatches = 10
/** The pause of a schedule after a failure. */
const retryMs = 5000
/** How often due jobs of tenants' own databases are tried again. */
const storeDueEveryMs = 30_000

interface State {
  /** Before this moment, the schedule is not read from the database. */
  dueAtMs: number
  /** The places of the tenants in the occurrence that has begun. */
  places: { begunAt: string; places: Place[] } | null
}

export class Schedules {
  readonly #schedules: readonly Schedule[]
  readonly #states = new Map<string, State>()
  #storeDueAtMs = 0

  /** @throws Error when two features declare the same name */
  constructor(schedules: readonly Schedule[]) {
    this.#schedules = schedules
    for (const { name } of schedules) {
      if (this.#states.has(name)) throw new Error(`Two features declare the schedule ${name}.`)
      this.#states.set(name, { dueAtMs: 0, places: null })
    }
  }

  /** The job for tenants' own databases is separate: databases that do not respond must not delay the other job. */
  jobs(): IntervalJob[] {
    if (this.#schedules.length === 0) return []
    return [
      { name: 'schedules', everyMs, run: (operator, signal) => this.#advanceAll(operator, signal) },
      { name: 'due jobs of schedules', everyMs, run: (operator, signal) => this.#storeDue(operator, signal) },
    ]
  }

  async #advanceAll(operator: Context, signal: AbortSignal): Promise<void> {
    for (const schedule of this.#schedules) {
      signal.throwIfAborted()
      const state = this.#stateOf(schedule)
      const nowMs = operator.shared.clock().getTime()
      if (nowMs < state.dueAtMs) continue
      try {
        await this.#advance(operator, schedule, state)
      } catch (error) {
        state.dueAtMs = nowMs + retryMs
        operator.shared.log.warn({ err: error, schedule: schedule.name }, 'schedule not advanced')
      }
    }
  }

  async #advance(operator: Context, schedule: Schedule, state: State): Promise<void> {
    let row = await beginOccurrence(operator, schedule)
    for (let batches = 0; row.position !== null && batches < maxBatches; batches++) {
      const places = await this.#placesOf(operator, schedule, row)
      const progress = await storeDueJobs(operator, schedule, row, places)
      row = progress.row
      if (progress.isDue) this.#storeDueAtMs = 0
      if (!progress.isMore) break
    }
    state.dueAtMs = this.#nextDueMs(schedule, row)
    if (row.position === null) state.places = null
  }

  /** The places of the present tenants. Tenants that are created later get their first job in the next occurrence. */
  async #placesOf(operator: Context, schedule: Schedule, { begun_at }: ScheduleRow): Promise<Place[]> {
    const state = this.#stateOf(schedule)
    if (state.places?.begunAt === begun_at) return state.places.places
    const keys: string[] = []
    for await (const { id } of activeTenants(operator)) keys.push(foldTenantId(id))
    const places = placesOf(schedule.name, keys, windowMsOf(schedule, new Date(begun_at)))
    state.places = { begunAt: begun_at, places }
    return places
  }

  #nextDueMs(schedule: Schedule, { position, begun_at, occurrence_at }: ScheduleRow): number {
    const nextMs = schedule.next(new Date(occurrence_at)).getTime()
    if (position === null) return nextMs
    const next = this.#stateOf(schedule).places?.places.find((place) => place.position > position)
    return next === undefined ? 0 : Math.min(nextMs, Date.parse(begun_at) + next.delayMs)
  }

  async #storeDue(operator: Context, signal: AbortSignal): Promise<void> {
    const nowMs = operator.shared.clock().getTime()
    if (nowMs < this.#storeDueAtMs) return
    this.#storeDueAtMs = nowMs + storeDueEveryMs
    await storeInTenantDatabases(operator, this.#schedules, signal)
  }

  #stateOf({ name }: Schedule): State {
    const state = this.#states.get(name)
    if (state === undefined) throw new Error(`The schedule ${name} is unknown.`)
    return state
  }
}
