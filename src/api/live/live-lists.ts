/** Streams of followed lists, within their limits. */
import type { Context, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { currentCursor, hasMoreAfter, isBeyond, refuseForeignCursor } from '../../core/events/feed.ts'
import type { LiveSource } from '../../core/feature/live-source.ts'
import { callerKey } from '../../core/limits/caller.ts'
import { defaultLiveLimits, type LiveLimits } from '../../core/limits/client-limits.ts'
import type { LimitMonitor } from '../../core/limits/limit-monitor.ts'
import type { Feeds } from '../../core/live/feeds.ts'
import type { Relief, Stream } from '../../core/live/stream.ts'
import type { Limit } from '../../database/limit.ts'
import { equalityIn } from '../../database/read/matches.ts'
import { callerRights } from './caller-rights.ts'
import { liveCursor, readLiveCursor } from './cursor.ts'
import { type Block, blockOf, type ListItem, listItem } from './event-block.ts'
import { type Followed, followedIn } from './followed.ts'
import type { ListSubscriber } from './list-subscriber.ts'
import { mergedItems } from './merge.ts'
import { listRenderer } from './rendering.ts'
import type { LiveRequest } from './schema.ts'

const initial = defaultLiveLimits

export const liveLimit: Limit = {
  name: 'streams of followed lists',
  kind: 'permits',
  bounds: {
    instance: `${initial.streams}, with ${initial.lists} lists`,
    'user in a tenant': initial.userStreams,
  },
  changedBy: ['liveLimits'],
  beyond: '429',
  reasons: ['streams of lists', 'streams of a user'],
  metrics: ['live_streams', 'live_lists'],
  page: 'live-lists.md#limits',
}

export const unindexedLimit: Limit = {
  name: 'followed lists whose filters name no value',
  kind: 'permits',
  bounds: { tenant: initial.tenantUnindexed },
  changedBy: ['liveLimits'],
  beyond: '429',
  reasons: ['lists of a tenant without an equality'],
  page: 'live-lists.md#limits',
}

/** A client that has missed more reads its lists again. */
const maxMissedEvents = 10_000

/** Stays in memory for as long as the stream. */
export interface Following {
  stream: Stream
  /** @returns the cursor of a stream that is read to its end; `null` if more is on its way */
  cursor(): string | null
}

export class LiveLists {
  readonly #sources: ReadonlyMap<string, LiveSource>
  readonly #feeds: Feeds
  readonly #limits: LiveLimits
  readonly #monitor: LimitMonitor
  readonly #open = new Set<CountedStream>()

  constructor(
    sources: readonly LiveSource[],
    { feeds, limits, monitor }: { feeds: Feeds; limits: LiveLimits; monitor: LimitMonitor },
  ) {
    this.#sources = new Map(sources.map((source) => [source.name, source]))
    this.#feeds = feeds
    this.#limits = limits
    this.#monitor = monitor
  }

  get streamCount(): number {
    return this.#open.size
  }

  /** The number of lists in them. */
  get listCount(): number {
    return sumOf([...this.#open], ({ lists }) => lists)
  }

  /**
   * @returns the stream, and the text that is sent before its first item
   * @throws ServiceError `tooManyRequests` beyond the limits, `unavailable`
   */
  async follow(
    context: Context,
    { after, lists }: LiveRequest,
  ): Promise<{ following: Following; begins: string }> {
    const { shared, tenant, data } = context
    const user = callerKey(context.actor, context.clientAddress ?? '')
    // A refusal must cost little. The lists are therefore not read before there is room for a stream.
    this.#require({ user, tenantId: tenant.id }, beyondStreams)
    const followed = followedIn(context, lists, this.#sources)
    requireAny(followed)
    const close = this.#admit(user, tenant, followed)
    try {
      const from = await startOf(context, after ?? null)
      const cursor = 'cursor' in from ? from.cursor : await currentCursor(data)
      const cursorOf = (feedCursor: string) => liveCursor(tenant.id, feedCursor, shared.clock())
      const names = namesOf(followed)
      const reset = 'lost' in from ? blockOf(resetBlock(names, from.lost), null) : ''
      const stream = await this.#feeds.follow<ListSubscriber>({
        tenant,
        after: cursor,
        subscriber: { user, renderer: listRenderer, followed, cursorOf, ...callerRights(context, followed) },
        relief: reliefOf(names),
      })
      stream.onEnd(close)
      const begins = `${readyOf(followed, cursorOf(cursor))}${reset}`
      const presentCursor = () => {
        const place = this.#feeds.cursorOf(tenant.id, stream)
        return place === null ? null : cursorOf(place)
      }
      return { following: { stream, cursor: presentCursor }, begins }
    } catch (error) {
      close()
      throw error
    }
  }

  #admit(user: string, { id: tenantId }: Tenant, { lists, events }: Followed): () => void {
    const unindexed = lists.filter(({ filter }) => equalityIn(filter) === null).length
    const added = { user, tenantId, lists: lists.length + events.length, unindexed }
    this.#require(added, beyondLists)
    this.#open.add(added)
    this.#monitor.observe('streams of lists', this.#open.size, this.#limits.streams)
    return () => void this.#open.delete(added)
  }

  /** @throws ServiceError `tooManyRequests` */
  #require<Added extends Caller>(
    added: Added,
    beyond: (added: Added, open: readonly CountedStream[], limits: LiveLimits) => Exceeded | null,
  ): void {
    const exceeded = beyond(added, [...this.#open], this.#limits)
    if (exceeded === null) return
    const { tenantId, user } = added
    this.#monitor.refused(exceeded.reason, { tenantId, user })
    throw new ServiceError('tooManyRequests', exceeded.message, { retryAfterSeconds: 10 })
  }
}

/** Refuses a stream that would follow nothing. @throws ServiceError with the refusal of the first list */
function requireAny({ lists, events, refused }: Followed): void {
  if (lists.length > 0 || events.length > 0) return
  const [first] = Object.values(refused)
  const kinds = { NOT_FOUND: 'notFound', FORBIDDEN: 'forbidden', INVALID: 'invalid' } as const
  throw new ServiceError(kinds[first?.code ?? 'INVALID'], first?.message)
}

interface Caller {
  user: string
  tenantId: string
}

interface CountedStream extends Caller {
  lists: number
  unindexed: number
}

interface Exceeded {
  reason: string
  message: string
}

const fullInstance: Exceeded = {
  reason: 'streams of lists',
  message: 'The service follows as many lists as it may.',
}

function beyondStreams(added: Caller, open: readonly CountedStream[], limits: LiveLimits): Exceeded | null {
  const ofUser = open.filter(({ user, tenantId }) => user === added.user && tenantId === added.tenantId)
  if (ofUser.length >= limits.userStreams)
    return {
      reason: 'streams of a user',
      message: `You may have ${limits.userStreams} streams of lists at once.`,
    }
  return open.length >= limits.streams ? fullInstance : null
}

function beyondLists(
  added: CountedStream,
  open: readonly CountedStream[],
  limits: LiveLimits,
): Exceeded | null {
  const ofTenant = open.filter(({ tenantId }) => tenantId === added.tenantId)
  const unindexed = sumOf(ofTenant, ({ unindexed: own }) => own) + added.unindexed
  if (unindexed > limits.tenantUnindexed && added.unindexed > 0)
    return {
      reason: 'lists of a tenant without an equality',
      message: `A tenant may follow ${limits.tenantUnindexed} lists at once whose filters name no value that rows have.`,
    }
  const lists = sumOf(open, ({ lists: own }) => own) + added.lists
  return lists > limits.lists ? fullInstance : null
}

function sumOf(open: readonly CountedStream[], of: (each: CountedStream) => number): number {
  return open.reduce((sum, each) => sum + of(each), 0)
}

/** @returns the cursor of the feed, or why the lists have to be read again */
async function startOf(
  { data, tenant, shared }: Context,
  after: string | null,
): Promise<{ cursor: string } | { lost: string }> {
  if (after === null) return { cursor: await currentCursor(data) }
  const place = readLiveCursor(after, tenant.id, shared.clock())
  if ('lost' in place) return place
  try {
    await refuseForeignCursor(data, place.cursor)
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'invalid') return { lost: 'unknown' }
    throw error
  }
  // The database was restored to an earlier state: rows that the client has may have gone.
  if (await isBeyond(data, place.cursor)) return { lost: 'unknown' }
  return (await hasMoreAfter(data, place.cursor, maxMissedEvents)) ? { lost: 'expired' } : place
}

function namesOf({ lists, events }: Followed): string[] {
  return [...lists, ...events].map(({ name }) => name)
}

function readyOf(followed: Followed, cursor: string): string {
  const members = `"refused":${JSON.stringify(followed.refused)}`
  return blockOf({ event: 'ready', lists: namesOf(followed), members }, cursor)
}

function reliefOf(names: readonly string[]): Relief {
  return {
    merge: (items) => mergedItems(items as readonly ListItem[]), // the stream of a list has no other items
    replace: () => listItem([resetBlock(names, 'slow')], ''),
  }
}

function resetBlock(lists: readonly string[], reason: string): Block {
  return { event: 'reset', lists, members: `"reason":"${reason}"` }
}
