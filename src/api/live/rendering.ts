/**
 * Makes the changes of followed lists from events. Each changed row is read once for the tenant, and rendered once for
 * each different selection, however many lists have it.
 */
import type { FeedEvent } from '../../core/events/feed.ts'
import type { EventSource, Renderer, Rendering, Results, Subscriber } from '../../core/live/subscriber.ts'
import { selectionShape } from '../../database/read/render.ts'
import type { Selected } from '../../database/read/selection.ts'
import type { TimeSlice } from '../../database/time-slice.ts'
import { changesIn } from './changes.ts'
import { type Shown, withRows } from './current-rows.ts'
import { type Block, type ListItem, listItem } from './event-block.ts'
import { type Entry, ListIndex } from './list-index.ts'
import type { ListSubscriber } from './list-subscriber.ts'
import { type Decision, decide } from './membership.ts'
import { reachesOf } from './reaches.ts'

export const listRenderer: Renderer = {
  rendering: () => new ListRendering(),
}

/** The events of one batch. A row that changes several times within a batch is sent once. */
const maxEvents = 100

interface EventEntry {
  subscriber: ListSubscriber
  name: string
}

class ListRendering implements Rendering {
  readonly eventsAtOnce = maxEvents
  readonly #index = new ListIndex()
  readonly #byType = new Map<string, Map<ListSubscriber, EventEntry[]>>()

  get size(): number {
    return this.#index.size
  }

  add(given: Subscriber): void {
    const subscriber = given as ListSubscriber // the rendering gets subscribers of its kind only
    this.#index.add(subscriber)
    for (const { name, type } of subscriber.followed.events) {
      const ofType = this.#byType.get(type) ?? new Map<ListSubscriber, EventEntry[]>()
      this.#byType.set(type, ofType)
      ofType.set(subscriber, [...(ofType.get(subscriber) ?? []), { subscriber, name }])
    }
  }

  remove(given: Subscriber): void {
    const subscriber = given as ListSubscriber // the rendering gets subscribers of its kind only
    this.#index.remove(subscriber)
    for (const { type } of subscriber.followed.events) {
      this.#byType.get(type)?.delete(subscriber)
      if (this.#byType.get(type)?.size === 0) this.#byType.delete(type)
    }
  }

  async render(source: EventSource, events: readonly FeedEvent[], slice: TimeSlice): Promise<Results> {
    const { data } = source
    const blocks = new Map<ListSubscriber, Block[]>()
    const add = (subscriber: ListSubscriber, block: Block) => {
      const own = blocks.get(subscriber) ?? []
      blocks.set(subscriber, own)
      own.push(block)
    }
    const changes = changesIn(events, (type) => this.#index.followsChanges(type))
    const concerned = changes.map((change) => ({ change, entries: this.#index.concerned(change) }))
    const reachOf = reachesOf()
    const decided = await decide(data, concerned, reachOf)
    const decisions = decided.filter(isSeen)
    await slice.pause()
    const shown = await withRows(source, decisions, { slice, reachOf })
    for (const { subscriber, ...block } of await blocksOf(shown, slice)) add(subscriber, block)
    // Events last: a client that gets an event has the rows that were written before it.
    for (const event of events)
      for (const entries of this.#byType.get(event.type)?.values() ?? [])
        for (const { subscriber, name } of entries) add(subscriber, eventBlock(event, name))
    return itemsOf(blocks, events.at(-1)?.cursor ?? '')
  }
}

function eventBlock({ id, type, data }: FeedEvent, name: string): Block {
  const members = `"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"data":${data}`
  return { event: 'event', lists: [name], members }
}

async function blocksOf({ decisions, rows }: Shown, slice: TimeSlice) {
  const blocks: (Block & { subscriber: ListSubscriber })[] = []
  for (const [subscriber, own] of Map.groupBy(decisions, ({ entry }) => entry.subscriber)) {
    const bySent = Map.groupBy(
      own,
      ({ change, kind, entry }) => `${change.entity} ${change.id} ${kind} ${shapeIn(kind, entry)}`,
    )
    for (const [first, ...others] of bySent.values()) {
      if (first === undefined) continue
      const block = blockFor(first, rows)
      if (block !== null)
        blocks.push({ ...block, subscriber, lists: [first, ...others].map(({ entry }) => entry.list.name) })
    }
    await slice.pause()
  }
  return blocks
}

function shapeIn(kind: Decision['kind'], { list }: Entry): string {
  return kind === 'enter' || kind === 'change' ? selectionShape(list.selection) : list.name
}

function blockFor({ change, kind, entry }: Decision, rows: Shown['rows']): Omit<Block, 'lists'> | null {
  const { id, version } = change
  const named = { event: 'change', row: { id, kind }, members: `"version":${version}` } as const
  if (kind === 'reset') return { event: 'reset', members: '"reason":"unknown"' }
  if (kind === 'leave' || kind === 'delete') return named
  const { selection } = entry.list
  const row = rows.get(change)
  if (row === 'tooLarge') return { event: 'reset', members: '"reason":"large"' }
  const text = row?.texts.get(selectionShape(selection))
  return text === undefined ? null : { ...named, members: `${named.members},"row":${text}` }
}

/** A list gets a change only if it selects a member that the batch changed, even if the row has changed again since. */
function isSeen({ kind, change: { changed }, entry }: Decision): boolean {
  if (kind !== 'change' || changed === null) return true
  return entry.list.selection.some((selected) => mayHaveChanged(selected, changed))
}

/** A derived member, such as the name of a user, depends on another row: it may change without being in `changed`. */
function mayHaveChanged(selected: Selected, changed: ReadonlySet<string>): boolean {
  const isDerived = selected.kind === 'field' && selected.field.completed !== undefined
  return isDerived || selected.as === 'updatedAt' || changed.has(selected.as)
}

/** Makes one item for each client, so that all changes of a batch arrive together. One tenant has one cursor. */
function itemsOf(blocks: ReadonlyMap<ListSubscriber, readonly Block[]>, feedCursor: string): Results {
  const [first] = blocks.keys()
  const cursor = first?.cursorOf(feedCursor) ?? ''
  return [...blocks].map(([subscriber, own]): [ListSubscriber, ListItem[]] => [
    subscriber,
    [listItem(own, cursor)],
  ])
}
