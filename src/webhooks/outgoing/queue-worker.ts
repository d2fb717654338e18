/** Serves the queue of one database: dispatches, claims, sends and records, and knows when to look again. */

import type { Lease, Shared, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { TurnScheduler } from '../../core/limits/turn-scheduler.ts'
import type { Counter } from '../../core/metric.ts'
import { levelOf } from '../../core/tenant/unavailable-database.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { TargetRow } from '../subscriptions/target.ts'
import { tenantsAtOnce, tenantsToDispatch } from './dispatch/dispatch.ts'
import { exchange } from './exchange.ts'
import { giveBackLeases } from './lease/sql.ts'
import type { StaleLeases } from './lease/stale-leases.ts'
import { Pause } from './pause.ts'
import { type Pulled, pull } from './queue/claim.ts'
import { DueIndex } from './queue/due-index.ts'
import { parseLine, subscriptionKey } from './queue/lane.ts'
import type { Slots } from './queue/slots.ts'
import type { DueDelivery } from './queue/sql.ts'
import { allLines } from './queue/walk.ts'
import { Recorder } from './record/recorder.ts'
import type { Guard } from './send.ts'

export interface WorkerParts {
  shared: Shared
  slots: Slots
  guard: Guard
  /** Seconds from each failed attempt to the next, where the subscription has no schedule of its own. */
  retrySeconds: readonly number[]
  deadlineMs: number
  leaseMs: number
  /** Ends exchanges when the service has waited for them long enough. */
  signal: AbortSignal
  attempts: Counter<'outcome' | 'error'>
  /** Nobody else serves the same database: leases from before the start are void. */
  isAlone: boolean
  staleLeases: StaleLeases
  /** How often the queue is looked through for what others have left there; `null`: only when asked. */
  sweepMs: number | null
  open(): Lease | Promise<Lease>
  tenant(id: string): Tenant | null | Promise<Tenant | null>
  /** Whether the tenant's rows are in this database, and it is not just being moved elsewhere. */
  serves(database: Database, tenantId: string): Promise<boolean>
  /** Copies the events of tenants whose rows are elsewhere. @returns those to be dispatched here */
  relay(database: Database, tenantIds: readonly string[]): Promise<string[]>
  /** Called whenever slots come free, for all workers that wait for some. */
  slotsFreed(): void
  /** Called when more is due here than this instance may send. */
  overloaded(): void
}

const mostPauseMs = 5000
const firstPauseMs = 100
/** What is published in between shares a commit: dispatching costs the publishers little. */
const passEveryMs = 10
/** Many deliveries are claimed at once, and to begin each takes part of a millisecond. */
const exchangeTurns = new TurnScheduler()
/** Walking through the queue takes this share of the time at most. */
const walkShare = 0.05

export class QueueWorker {
  readonly dueIndex = new DueIndex()
  readonly #parts: WorkerParts
  #lease: Lease | null = null
  #recorder: Recorder | null = null
  #running: Promise<void> | null = null
  #again = false
  #timer: NodeJS.Timeout | null = null
  #inFlight = 0
  #failures = 0
  #walkAtMs = 0
  #isStarved = false
  #isStopped = false
  readonly #quiet: (() => void)[] = []
  readonly #pause = new Pause(passEveryMs)

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  /** Nothing is under way, and nothing is known to be due. */
  get isQuiet(): boolean {
    return this.#running === null && this.#inFlight === 0
  }

  /** As far as is known there is nothing here to be sent, now or later. */
  get isIdle(): boolean {
    return this.isQuiet && this.#failures === 0 && this.dueIndex.size === 0
  }

  /** The database while it is open. */
  get database(): Database | null {
    return this.#lease?.database ?? null
  }

  /** Something has changed: looks as soon as what is under way is done. @param walk at every line there is */
  wake(walk = false): void {
    if (this.#isStopped) return
    if (walk) this.#walkAtMs = 0
    this.#again = true
    // A database that was away a moment ago is not asked by every event anew.
    if (this.#failures > 0 && this.#timer !== null && !walk) return
    this.#running ??= this.#run()
  }

  /** Only if something that is due here could not be sent before, and can be now. */
  wakeIfStarved(): void {
    if (!this.#isStarved) return
    const { slots, shared } = this.#parts
    const nowMs = shared.clock().getTime()
    if (this.dueIndex.someDue(nowMs, (line) => slots.free(parseLine(line)) > 0)) this.wake()
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (!this.isQuiet) await new Promise<void>((resolve) => this.#quiet.push(resolve))
  }

  /** Waits for the look that is under way, and not for what it has sent off. */
  async looked(): Promise<void> {
    await this.#running
  }

  /** Claims nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#clearTimer()
    await this.settled()
    this.#release()
  }

  async #run(): Promise<void> {
    this.#clearTimer()
    while (this.#again && !this.#isStopped) {
      await this.#pause.wait()
      this.#again = false
      try {
        await this.#pass()
        this.#failures = 0
      } catch (error) {
        this.#failures++
        const level = this.#failures === 1 ? levelOf(error) : 'debug'
        this.#parts.shared.log[level]({ err: causeOf(error) }, 'deliveries not looked at')
        break
      }
    }
    this.#running = null
    if (!this.#isStopped) this.#setTimer()
    this.#settle()
  }

  async #pass(): Promise<void> {
    const { shared, slots, leaseMs } = this.#parts
    const { eventTypes } = shared
    this.#lease ??= await this.#parts.open()
    const { database } = this.#lease
    this.#recorder ??= new Recorder(shared, database, this.#parts.signal)
    const queue = new QueueData(database.executor)
    if (this.#parts.isAlone) await this.#parts.staleLeases.end(database)
    if (performance.now() >= this.#walkAtMs) await this.#walk(queue)
    const tenantIds = await tenantsToDispatch(queue, (page) => this.#parts.relay(database, page))
    if (tenantIds.length >= tenantsAtOnce) this.#again = true
    const now = shared.clock()
    const due = await this.#dueLines(database, now)
    const lines = due.filter((line) => slots.free(parseLine(line)) > 0)
    this.#isStarved = lines.length < due.length
    if (tenantIds.length === 0 && lines.length === 0) return
    const paused = new Set<string>()
    for (const id of tenantIds) if (!(await this.#isActive(id))) paused.add(id)
    const pulled = await pull(database, { tenantIds, paused, lines, slots, eventTypes, now, leaseMs })
    this.#pause.begin()
    for (const [line, dueAt] of pulled.lines)
      this.dueIndex.served(line, dueAt === null ? null : Date.parse(dueAt))
    for (const delivery of pulled.deliveries) void this.#deliver(delivery, pulled)
    const left = this.dueIndex.dueLines(now.getTime())
    this.#isStarved = left.length > 0
    if (pulled.isMore || left.some((line) => slots.free(parseLine(line)) > 0)) this.#again = true
    else if (this.#isStarved) this.#parts.overloaded()
  }

  async #walk(queue: QueueData): Promise<void> {
    const began = performance.now()
    this.dueIndex.beginWalk()
    this.dueIndex.endWalk(await allLines(queue))
    const { sweepMs } = this.#parts
    const tookMs = performance.now() - began
    this.#walkAtMs = performance.now() + Math.max(sweepMs ?? 0, tookMs / walkShare)
  }

  /** Those of inactive tenants, and of those served elsewhere, are forgotten until the next walk. */
  async #dueLines(database: Database, now: Date): Promise<string[]> {
    const lines: string[] = []
    const judged = new Map<string, boolean>()
    for (const line of this.dueIndex.dueLines(now.getTime())) {
      const { tenantId } = parseLine(line)
      const isOurs = judged.get(tenantId) ?? (await this.#isOurs(database, tenantId))
      judged.set(tenantId, isOurs)
      if (isOurs) lines.push(line)
      else this.dueIndex.served(line, null)
    }
    return lines
  }

  async #isOurs(database: Database, tenantId: string): Promise<boolean> {
    return (await this.#isActive(tenantId)) && (await this.#parts.serves(database, tenantId))
  }

  async #isActive(tenantId: string): Promise<boolean> {
    const found = this.#parts.tenant(tenantId)
    const tenant = found instanceof Promise ? await found : found
    return tenant?.isActive === true
  }

  async #deliver(delivery: DueDelivery, { lease, subscriptions }: Pulled): Promise<void> {
    this.#inFlight++
    const { slots, slotsFreed, shared } = this.#parts
    const line = parseLine(delivery.line)
    await exchangeTurns.take([line.tenantId])
    try {
      const key = subscriptionKey(delivery.tenantId, delivery.subscriptionId)
      await this.#attempt(delivery, lease, subscriptions.get(key))
    } catch (error) {
      // Its lease ends, and then it is tried again.
      shared.log.error({ err: error, delivery: delivery.id }, 'delivery not attempted')
    }
    slots.giveBack(line, 1)
    slots.giveBackBytes(line, delivery.bytes)
    this.#inFlight--
    slotsFreed()
    this.#settle()
  }

  async #attempt(delivery: DueDelivery, lease: string, row: TargetRow | undefined): Promise<void> {
    const { shared, guard, deadlineMs, retrySeconds, signal, slots } = this.#parts
    const database = this.#lease?.database
    if (row === undefined || database === undefined)
      throw new Error('It was claimed without its subscription.')
    const { secretBox, clock } = shared
    const made = await exchange(delivery, row, { guard, secretBox, clock, deadlineMs, signal })
    if (made.exchange.errorClass === 'aborted') {
      await database.transaction((transaction) =>
        giveBackLeases(new QueueData(transaction), lease, [delivery]),
      )
      return
    }
    const { outcome, errorClass } = made.exchange
    this.#parts.attempts.count({ outcome, error: errorClass ?? 'none' })
    slots.learn(delivery, made.exchange.outcome === 'success')
    const schedule = made.target.retrySeconds ?? retrySeconds
    const state = await this.#recorder?.record({ delivery, lease, schedule, ...made })
    if (state?.queue && state.nextAt) this.dueIndex.note(state.queue, Date.parse(state.nextAt))
    this.#setTimer()
  }

  #setTimer(): void {
    if (this.#isStopped || this.#running !== null) return
    this.#clearTimer()
    const waitMs = this.#waitMs()
    if (waitMs !== null) this.#timer = setTimeout(() => this.#onTimer(), waitMs).unref()
  }

  #onTimer(): void {
    this.#timer = null
    this.wake()
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #waitMs(): number | null {
    if (this.#failures > 0) return Math.min(firstPauseMs * 2 ** (this.#failures - 1), mostPauseMs)
    const nowMs = this.#parts.shared.clock().getTime()
    const next = this.dueIndex.nextAfter(nowMs)
    const waits = [this.#parts.sweepMs, next === null ? null : next - nowMs + 1].filter((ms) => ms !== null)
    return waits.length === 0 ? null : Math.min(...waits, longestTimerMs)
  }

  #settle(): void {
    if (!this.isQuiet) return
    if (this.#parts.sweepMs === null) this.#release()
    for (const resolve of this.#quiet.splice(0)) resolve()
  }

  /** Gives the database back; it is opened again at the next look. */
  #release(): void {
    this.#lease?.release()
    this.#lease = null
    this.#recorder = null
  }
}

const longestTimerMs = 60 * 60 * 1000

function causeOf(error: unknown): unknown {
  return error instanceof ServiceError && error.cause !== undefined ? error.cause : error
}
