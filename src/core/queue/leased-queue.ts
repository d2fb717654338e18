/**
 * Queues whose work is claimed by a lease, such as deliveries, jobs and mails: a poll claims due work and begins its
 * attempts; each records its outcome. Work whose outcome is not recorded is attempted again when its lease ends.
 */
import type { Database } from '../../database/executor.ts'
import type { Shared } from '../context.ts'
import { newId } from '../id.ts'
import { TurnScheduler } from '../limits/turn-scheduler.ts'
import { DueIndex } from './due-index.ts'
import { type DueWork, keyOf, tenantOf } from './due-key.ts'
import { LeaseRenewal } from './lease-renewal.ts'
import type { EndedAttempt, LeasedWork } from './leased-work.ts'
import { nothingDue, type Poll, type Queue, type QueueKind, type RelayRequests } from './queue.ts'
import { Recorder } from './recorder.ts'
import type { ServedTenants } from './served-tenants.ts'
import { StaleLeases } from './stale-leases.ts'

/** The parts that the queues of one kind share, such as those of deliveries in all databases. */
interface Parts<Work extends DueWork, Outcome> {
  shared: Shared
  tenants: ServedTenants
  work: LeasedWork<Work, Outcome>
  /**
   * Spreads attempts over turns of the event loop: a poll claims much at once, and each attempt takes time to begin.
   */
  turns: TurnScheduler
  /** `null` on PostgreSQL, where leases may belong to other instances. */
  staleLeases: StaleLeases | null
  /** Aborted when a stop no longer waits for the work in progress. */
  stopping: AbortSignal
}

export class LeasedQueues<Work extends DueWork, Outcome> implements QueueKind {
  readonly #parts: Parts<Work, Outcome>
  readonly #stop = new AbortController()

  constructor(work: LeasedWork<Work, Outcome>, shared: Shared, tenants: ServedTenants) {
    const isEmbedded = shared.catalogueDatabase.dialect === 'sqlite'
    const staleLeases = isEmbedded ? new StaleLeases((database) => work.expireLeases(database)) : null
    const stopping = this.#stop.signal
    this.#parts = { shared, tenants, work, turns: new TurnScheduler(), staleLeases, stopping }
  }

  get name(): string {
    return this.#parts.work.name
  }

  get leaseMs(): number {
    return this.#parts.work.leaseMs
  }

  get isInCatalogue(): boolean {
    return this.#parts.work.isInCatalogue ?? false
  }

  createQueue(relays: RelayRequests): Queue {
    return new LeasedQueue(this.#parts, relays)
  }

  abort(): void {
    this.#stop.abort()
    this.#parts.work.abort?.()
  }

  close(): void {
    this.#parts.work.close?.()
  }
}

/** The queue of one database. */
class LeasedQueue<Work extends DueWork, Outcome> implements Queue {
  readonly name: string
  readonly dueIndex = new DueIndex()
  readonly #parts: Parts<Work, Outcome>
  readonly #relays: RelayRequests
  /** `null` for work that always ends within its lease. */
  readonly #renewal: LeaseRenewal | null
  #recorder: Recorder<EndedAttempt<Work, Outcome>> | null = null

  constructor(parts: Parts<Work, Outcome>, relays: RelayRequests) {
    const { work, shared } = parts
    this.name = work.name
    this.#parts = parts
    this.#relays = relays
    const extend = work.extendLeases?.bind(work)
    const { name: queue, leaseMs } = work
    const { clock, log } = shared
    this.#renewal = extend === undefined ? null : new LeaseRenewal({ queue, leaseMs, clock, log, extend })
  }

  async scan(database: Database): Promise<ReadonlyMap<string, number>> {
    const { work, staleLeases } = this.#parts
    await staleLeases?.expire(database)
    return work.scan(database)
  }

  canResume(): boolean {
    const nowMs = this.#parts.shared.clock().getTime()
    return this.dueIndex.firstDue(nowMs, (key) => this.#isPermitted(key)) !== null
  }

  async poll(database: Database): Promise<Poll> {
    const { shared, work, staleLeases } = this.#parts
    await staleLeases?.expire(database)
    const now = shared.clock()
    const tenantIds = (await work.tenantsToDispatch?.(database, this.#relays)) ?? []
    const due = await this.#servedKeys(database, now)
    const keys = due.filter((key) => this.#isPermitted(key))
    if (tenantIds.length === 0 && keys.length === 0) return { ...nothingDue, isHeldBack: due.length > 0 }
    const lease = newId()
    const until = new Date(now.getTime() + work.leaseMs).toISOString()
    const claim = { keys, tenantIds, lease, until, now: now.toISOString() }
    const claimed = await this.dueIndex.serve(() => work.claim(database, claim))
    const begun = claimed.work.map((each) => this.#run(database, each, lease))
    const remaining = this.dueIndex.due(now.getTime())
    const isMore = claimed.isMore === true || remaining.some((key) => this.#isPermitted(key))
    return { begun, hasWritten: true, isMore, isHeldBack: remaining.length > 0 }
  }

  /** Removes the keys of tenants that are inactive, or whose rows are in another database, until the next scan. */
  async #servedKeys(database: Database, now: Date): Promise<string[]> {
    const { tenants, work } = this.#parts
    const due = this.dueIndex.due(now.getTime())
    const tenantIds = due.map(tenantOf)
    const served = await (work.isInCatalogue === true
      ? tenants.activeOf(tenantIds)
      : tenants.servedOf(database, tenantIds))
    return due.filter((key) => {
      const isServed = served.has(tenantOf(key))
      if (!isServed) this.dueIndex.replace(key, null)
      return isServed
    })
  }

  #isPermitted(key: string): boolean {
    return this.#parts.work.limiter.available(key) > 0
  }

  async #run(database: Database, due: Work, lease: string): Promise<void> {
    const { shared, turns, work } = this.#parts
    await turns.take([due.tenantId])
    try {
      await this.#attempt(database, due, lease)
    } catch (error) {
      shared.log.error({ err: error, queue: work.name, ...work.describe(due) }, 'work not attempted')
    }
    work.limiter.release(keyOf(due), 1)
    work.release?.(due)
  }

  async #attempt(database: Database, due: Work, lease: string): Promise<void> {
    const { shared, stopping, work } = this.#parts
    const { clock } = shared
    const ending = new AbortController()
    const { tenantId, id } = due
    const endRenewal = this.#renewal?.hold(database, { tenantId, id, lease }, ending)
    if (endRenewal === null) return
    try {
      const startedAt = clock()
      const outcome = await work.attempt(due, { database, lease, startedAt, ending, stopping })
      if (outcome === null) return
      const ended = { work: due, lease, startedAt, endedAt: clock(), outcome }
      const next = await this.#recorderOf(database).record(ended)
      if (next?.key && next.nextAt) this.dueIndex.note(next.key, Date.parse(next.nextAt))
    } finally {
      endRenewal?.()
    }
  }

  /** Makes a new recorder if the tenant's own database was closed and opened again. */
  #recorderOf(database: Database): Recorder<EndedAttempt<Work, Outcome>> {
    const { shared, stopping: signal, work } = this.#parts
    if (this.#recorder?.database !== database)
      this.#recorder = new Recorder({
        database,
        signal,
        log: shared.log,
        write: (ended) => work.record(database, ended),
        describe: (ended) => ({ queue: work.name, ...work.describe(ended.work) }),
      })
    return this.#recorder
  }
}
