/** The interfaces of subscribers to events, and of the renderers that make results for them. */
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

/** The source of a tenant's events. They are read without access rules; the rendering decides who gets what. */
export interface EventSource {
  readonly data: TenantData
  readonly context: Context
}

/** A kind of subscribers, such as those of GraphQL. A feed makes one rendering for each renderer. */
export interface Renderer {
  rendering(): Rendering
}

/** Makes results for the present subscribers of one kind. */
export interface Rendering {
  /** The number of subscribers. */
  readonly size: number
  /** The number of events that may be rendered at once. */
  readonly eventsAtOnce: number
  add(subscriber: Subscriber): void
  remove(subscriber: Subscriber): void
  /** @param events at most `eventsAtOnce` @returns the results of the subscribers that get any */
  render(source: EventSource, events: readonly FeedEvent[], slice: TimeSlice): Promise<Results>
}

/** The results of each subscriber. An error ends its stream. Subscribers without results may be absent. */
export type Results = Iterable<readonly [subscriber: Subscriber, result: readonly Item[] | Error]>
