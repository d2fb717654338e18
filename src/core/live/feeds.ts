/**
 * The feeds of events on this instance, one for each tenant whose events somebody follows, by a GraphQL subscription or
 * by following a list. A commit wakes the feed; instances tell each other of commits.
 */

import { resync } from '../../database/executor.ts'
import type { Shared, Tenant } from '../context.ts'
import { newId } from '../id.ts'
import { BufferBudget, defaultMaxBufferedBytes } from '../limits/buffer-budget.ts'
import { LimitMonitor } from '../limits/limit-monitor.ts'
import { PeriodicCheck } from '../periodic-check.ts'
import { changedTenant } from '../tenant/directory.ts'
import { foldTenantId } from '../tenant/tenant-id.ts'
import { type Relief, Stream } from './stream.ts'
import type { Subscriber } from './subscriber.ts'
import { TenantFeed } from './tenant-feed.ts'

/** The interval of the poll that finds events of which no notification has come. */
const defaultSweepMs = 1000
/** The interval at which the rights of subscribers are checked, also while no event occurs. */
const rightsEveryMs = 500
/** The delay in which notifications for other instances are collected. */
const announceDelayMs = 10
/** The maximum number of tenants that one announcement names. For more tenants, the announcement wakes all feeds. */
const maxNamedTenants = 50
const changePrefix = 'events:'
const allTenants = '*'

export interface FeedOptions {
  monitor: LimitMonitor
  /** The budget of memory for slow subscribers. */
  buffers: BufferBudget
  /** The interval of the poll for events without a notification. */
  sweepMs: number
}

/** A request to follow the events of a tenant. @typeParam S the kind of subscriber */
export interface FollowRequest<S extends Subscriber> {
  tenant: Tenant
  /** The cursor after which to resume, or `null`. */
  after: string | null
  subscriber: Omit<S, 'stream'>
  /** Reduces the unread results of a slow reader. Without it, a slow reader is cut at once. */
  relief?: Relief
}

export class Feeds {
  readonly #shared: Shared
  readonly #options: FeedOptions
  readonly #feeds = new Map<string, TenantFeed>()
  /** Identifies this instance's own announcements, which it ignores. */
  readonly #instance = newId()
  readonly #changed = new Set<string>()
  readonly #sweep: NodeJS.Timeout
  readonly #rights = new PeriodicCheck(rightsEveryMs)
  #announcing: NodeJS.Timeout | null = null
  #isStopped = false

  /** @param options that differ from the defaults */
  constructor(shared: Shared, options: Partial<FeedOptions> = {}) {
    this.#shared = shared
    const monitor = options.monitor ?? new LimitMonitor(shared.log)
    this.#options = {
      monitor,
      buffers: new BufferBudget(defaultMaxBufferedBytes, monitor),
      sweepMs: defaultSweepMs,
      ...options,
    }
    this.#sweep = setInterval(() => this.#wakeAll(), this.#options.sweepMs).unref()
  }

  get subscribers(): readonly Subscriber[] {
    return [...this.#feeds.values()].flatMap(({ subscribers }) => subscribers)
  }

  /**
   * @returns the cursor after everything that the stream's reader has got; `null` while further results are on their
   *   way
   */
  cursorOf(tenantId: string, stream: Stream): string | null {
    return this.#feeds.get(tenantId)?.cursorOf(stream) ?? null
  }

  subscribersOf(tenantId: string): readonly Subscriber[] {
    return this.#feeds.get(tenantId)?.subscribers ?? []
  }

  /** @throws DatabaseUnavailable, ServiceError `unavailable`, `invalid` for the cursor of another database */
  async follow<S extends Subscriber>(request: FollowRequest<S>): Promise<Stream> {
    const { tenant, after, subscriber: given, relief = null } = request
    const stream = new Stream(this.#options.buffers, relief)
    const feed = this.#feedOf(tenant)
    const subscriber = { ...given, stream }
    const endChecks = this.#rights.watch({ check: () => failWithoutRight(subscriber) })
    stream.onEnd(() => {
      endChecks()
      this.#removeStream(tenant, feed, stream)
    })
    try {
      await feed.join(subscriber, after)
    } catch (error) {
      stream.end()
      throw error
    }
    if (this.#isStopped) stream.end()
    return stream
  }

  /** Called after a commit of the tenant's events on this instance. */
  wake(tenantId: string): void {
    this.#feeds.get(tenantId)?.wake()
    if (this.#shared.catalogueDatabase.dialect !== 'postgres' || this.#isStopped) return
    this.#changed.add(tenantId)
    this.#announcing ??= setTimeout(() => this.#announce(), announceDelayMs)
  }

  /** Called for an announcement of another instance, and when announcements may be lost. */
  invalidate(change: string): void {
    if (change === resync) {
      this.#wakeAll()
      for (const feed of this.#feeds.values()) void this.#checkDatabase(feed)
    }
    const tenant = changedTenant(change)
    if (tenant !== null) this.#tenantChanged(tenant)
    if (change.startsWith(changePrefix)) this.#eventsCommitted(change)
  }

  /** @param tenant its case-folded id */
  #tenantChanged(tenant: string): void {
    for (const [id, feed] of this.#feeds) if (foldTenantId(id) === tenant) void this.#checkDatabase(feed)
  }

  #eventsCommitted(change: string): void {
    const [instance, ...tenantIds] = change.slice(changePrefix.length).split(' ')
    if (instance === this.#instance) return
    if (tenantIds.includes(allTenants)) this.#wakeAll()
    else for (const id of tenantIds) this.#feeds.get(id)?.wake()
  }

  /** Ends all streams, so that clients resume on another instance. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#sweep)
    if (this.#announcing !== null) clearTimeout(this.#announcing)
    for (const feed of [...this.#feeds.values()]) feed.close((stream) => stream.end())
  }

  async #checkDatabase(feed: TenantFeed): Promise<void> {
    try {
      await feed.checkDatabase()
    } catch (error) {
      this.#shared.log.warn({ err: error }, 'database of a tenant not checked')
    }
  }

  #feedOf(tenant: Tenant): TenantFeed {
    let feed = this.#feeds.get(tenant.id)
    if (feed === undefined) {
      feed = new TenantFeed(this.#shared, tenant)
      this.#feeds.set(tenant.id, feed)
    }
    return feed
  }

  #removeStream(tenant: Tenant, feed: TenantFeed, stream: Stream): void {
    feed.leave(stream)
    if (feed.size === 0 && this.#feeds.get(tenant.id) === feed) this.#feeds.delete(tenant.id)
  }

  #wakeAll(): void {
    for (const feed of this.#feeds.values()) feed.wake()
  }

  /** Runs outside of publishing transactions, because commits of transactions with NOTIFY wait for each other. */
  #announce(): void {
    this.#announcing = null
    const ids = [...this.#changed]
    this.#changed.clear()
    const change = `${changePrefix}${this.#instance} ${ids.length > maxNamedTenants ? allTenants : ids.join(' ')}`
    const { catalogueDatabase, log } = this.#shared
    catalogueDatabase
      .transaction((transaction) => transaction.announce(change))
      .catch((error: unknown) => log.warn({ err: error }, 'other instances not notified of events'))
  }
}

function failWithoutRight({ stream, refusal }: Subscriber): void {
  const refused = refusal()
  if (refused !== null) stream.fail(refused)
}
