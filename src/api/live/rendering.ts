/**
 * Makes the changes of followed lists from events. Each changed row is read once for the tenant, and rendered once for
 * each different selection, however many lists have it.
 */
import type { FeedEvent } from '../../core/events/feed.ts'
import type { Item } from '../../core/live/stream.ts'
import type { EventSource, Renderer, Rendering, ResultsOf, Subscriber } from '../../core/live/subscriber.ts'
import { selectionShape } from '../../database/read/render.ts'
import type { Selected } from '../../database/read/selection.ts'
import type { RowReach } from '../../database/row-reach.ts'
import type { TimeSlice } from '../../database/time-slice.ts'
import { changesIn } from './changes.ts'
import { type Shown, withRows } from './current-rows.ts'
import { type Block, blockOf } from './event-block.ts'
import { type Entry, ListIndex } from './list-index.ts'
import type { ListSubscriber } from './list-subscriber.ts'
import { type Decision, decide } from './membership.ts'

export const listRenderer: Renderer = {
  rendering: (subscribers) => new ListRendering(subscribers as readonly ListSubscriber[]), // of its kind
}

/** Events that are joined by row: a row that changes twice is sent once. */
const maxEvents = 100

class ListRendering implements Rendering {
  readonly eventsAtOnce = maxEvents
  readonly #index: ListIndex
  readonly #byType: ReadonlyMap<string, { subscriber: ListSubscriber; name: string }[]>

  constructor(subscribers: readonly ListSubscriber[]) {
    this.#index = new ListIndex(subscribers)
    const followed = subscribers.flatMap((subscriber) =>
      subscriber.followed.events.map(({ name, type }) => ({ subscriber, name, type })),
    )
    this.#byType = Map.groupBy(followed, ({ type }) => type)
  }

  async render(source: EventSource, events: readonly FeedEvent[], slice: TimeSlice): Promise<ResultsOf> {
    const { data } = source
    const blocks = new Map<Subscriber, Block[]>()
    const add = (subscriber: Subscriber, block: Block) => {
      const own = blocks.get(subscriber) ?? []
      blocks.set(subscriber, own)
      own.push(block)
    }
    for (const { type, data: text, id } of events)
      for (const { subscriber, name } of this.#byType.get(type) ?? [])
        add(subscriber, {
          event: 'event',
          lists: [name],
          members: `"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"data":${text}`,
        })
    const changes = changesIn(events, this.#index.entities)
    const concerned = changes.map((change) => ({ change, entries: this.#index.concerned(change) }))
    const reachOf = reachesOf()
    const decisions = await decide(data, concerned, reachOf)
    await slice.pause()
    const shown = await withRows(source, decisions, { slice, reachOf })
    for (const block of await blocksOf(shown, slice)) add(block.subscriber, block)
    const cursor = events.at(-1)?.cursor ?? ''
    return (subscriber) => itemsOf(subscriber as ListSubscriber, blocks.get(subscriber), cursor) // of its kind
  }
}

async function blocksOf({ decisions, rows }: Shown, slice: TimeSlice) {
  const made: (Block & { subscriber: ListSubscriber })[] = []
  for (const [subscriber, own] of Map.groupBy(decisions, ({ entry }) => entry.subscriber)) {
    const bySent = Map.groupBy(
      own,
      ({ change, kind, entry }) => `${change.entity} ${change.id} ${kind} ${shapeIn(kind, entry)}`,
    )
    for (const [first, ...others] of bySent.values()) {
      if (first === undefined) continue
      const block = blockFor(first, rows)
      if (block !== null)
        made.push({ ...block, subscriber, lists: [first, ...others].map(({ entry }) => entry.list.name) })
    }
    await slice.pause()
  }
  return made
}

function reachesOf(): (entry: Entry) => RowReach | null {
  const known = new Map<ListSubscriber, RowReach | null>()
  return ({ subscriber }) => {
    let reach = known.get(subscriber)
    if (reach === undefined) {
      reach = subscriber.reach()
      known.set(subscriber, reach)
    }
    return reach
  }
}

function shapeIn(kind: Decision['kind'], { list }: Entry): string {
  return kind === 'enter' || kind === 'change' ? selectionShape(list.selection) : list.name
}

function blockFor({ change, kind, entry }: Decision, rows: Shown['rows']): Omit<Block, 'lists'> | null {
  const { id, version, changed } = change
  const named = `"kind":"${kind}","id":"${id}","version":${version}`
  if (kind === 'reset') return { event: 'reset', members: '"reason":"unknown"' }
  if (kind === 'leave' || kind === 'delete') return { event: 'change', members: named }
  const { selection } = entry.list
  // Whoever sees no member that has changed learns nothing of the change.
  const isSeen =
    kind === 'enter' || changed === null || selection.some((selected) => mayHaveChanged(selected, changed))
  if (!isSeen) return null
  const row = rows.get(change)
  if (row === 'tooLarge') return { event: 'reset', members: '"reason":"large"' }
  const text = row?.texts.get(selectionShape(selection))
  return text === undefined ? null : { event: 'change', members: `${named},"row":${text}` }
}

/** The names of users are of other rows. */
function mayHaveChanged(selected: Selected, changed: ReadonlySet<string>): boolean {
  const isDerived = selected.kind === 'field' && selected.field.completed !== undefined
  return isDerived || selected.as === 'updatedAt' || changed.has(selected.as)
}

/** One item: what one batch did to the lists of a client arrives together. */
function itemsOf(
  { cursorOf }: ListSubscriber,
  blocks: readonly Block[] | undefined,
  cursor: string,
): Item[] | undefined {
  if (blocks === undefined) return undefined
  const place = cursorOf(cursor)
  const text = blocks
    .map((block, index) => blockOf(block, index === blocks.length - 1 ? place : null))
    .join('')
  return [{ text, cursor: place, holders: 0 }]
}
