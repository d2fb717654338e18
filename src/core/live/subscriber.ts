/** Who follows the events of a tenant, and what makes results of them. */
import type { TenantData } from '../../database/data.ts'
import type { TimeSlice } from '../../database/time-slice.ts'
import type { Context } from '../context.ts'
import type { FeedEvent } from '../events/feed.ts'
import type { Item, Stream } from './stream.ts'

export interface Subscriber {
  /** The id of the user, or the network of a client without one. */
  readonly user: string
  readonly stream: Stream
  readonly renderer: Renderer
  /** @returns why the subscriber may not receive events any more, or `null` */
  refusal(): Error | null
}

/** Where the events of a tenant are, with the authority of the tenant. */
export interface EventSource {
  readonly data: TenantData
  readonly context: Context
}

/** Makes results for subscribers of one kind. It gets those of its kind only. */
export interface Renderer {
  rendering(): Rendering
}

/** For subscribers that come and go. */
export interface Rendering {
  /** The number of subscribers. */
  readonly size: number
  /** The number of events that may be rendered at once. */
  readonly eventsAtOnce: number
  add(subscriber: Subscriber): void
  remove(subscriber: Subscriber): void
  /** @param events at most `eventsAtOnce` */
  render(source: EventSource, events: readonly FeedEvent[], slice: TimeSlice): Promise<Results>
}

/** What subscribers get of the events; an error ends the stream. Those who get nothing may be absent. */
export type Results = Iterable<readonly [subscriber: Subscriber, result: readonly Item[] | Error]>
