/**
 * Renders events for subscribers who do not all get the same rows: row rules must permit a subscriber to read the row,
 * and the row must match the filter. Live lists decide in the same way, but here every event is sent by itself.
 */
import type { FeedEvent } from '../../../core/events/feed.ts'
import type { Item } from '../../../core/live/stream.ts'
import type { EventSource, Renderer, Rendering, Results, Subscriber } from '../../../core/live/subscriber.ts'
import type { TimeSlice } from '../../../database/time-slice.ts'
import { ListIndex } from '../../live/list-index.ts'
import { reachesOf } from '../../live/reaches.ts'
import type { DecidedSubscriber } from './decided-subscriber.ts'
import { eventResults } from './event-results.ts'
import { eventsAtOnce } from './rendering.ts'

export const decidedRenderer: Renderer = {
  rendering: () => new DecidedRendering(),
}

class DecidedRendering implements Rendering {
  readonly #subscribers = new Set<DecidedSubscriber>()
  /** The subscribers by the type of their events. */
  readonly #indexes = new Map<string, ListIndex>()
  /** `null` after subscribers have come or gone. */
  #eventsAtOnce: number | null = null

  get size(): number {
    return this.#subscribers.size
  }

  get eventsAtOnce(): number {
    this.#eventsAtOnce ??= eventsAtOnce([...this.#subscribers].map(({ root }) => root))
    return this.#eventsAtOnce
  }

  add(given: Subscriber): void {
    const subscriber = given as DecidedSubscriber // the rendering gets subscribers of its kind only
    const { event } = subscriber.root.field
    const index = this.#indexes.get(event) ?? new ListIndex()
    this.#indexes.set(event, index)
    index.add(subscriber)
    this.#subscribers.add(subscriber)
    this.#eventsAtOnce = null
  }

  remove(given: Subscriber): void {
    const subscriber = given as DecidedSubscriber // the rendering gets subscribers of its kind only
    const { event } = subscriber.root.field
    const index = this.#indexes.get(event)
    index?.remove(subscriber)
    if (index?.size === 0) this.#indexes.delete(event)
    this.#subscribers.delete(subscriber)
    this.#eventsAtOnce = null
  }

  /** @param events at most `eventsAtOnce` */
  async render(source: EventSource, events: readonly FeedEvent[], slice: TimeSlice): Promise<Results> {
    const deciding = { source, slice, reachOf: reachesOf() }
    const wanted = events.flatMap((event) => {
      const index = this.#indexes.get(event.type)
      return index === undefined ? [] : [{ event, index }]
    })
    const results = await Promise.all(wanted.map(({ event, index }) => eventResults(event, index, deciding)))
    const found = new Map<Subscriber, Item[] | Error>()
    for (const [subscriber, result] of results.flat()) {
      const items = found.get(subscriber) ?? []
      if (items instanceof Error) continue
      found.set(subscriber, result instanceof Error ? result : [...items, result])
    }
    return found
  }
}
