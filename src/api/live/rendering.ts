/**
 * Makes the changes of followed lists from events. Each changed row is read once for the tenant, and rendered once for
 * each different selection, however many lists have it.
 */
import type { FeedEvent } from '../../core/events/feed.ts'
import type { Item } from '../../core/live/stream.ts'
import type { EventSource, Renderer, Rendering, ResultsOf, Subscriber } from '../../core/live/subscriber.ts'
import { hasKey } from '../../database/read/conditions.ts'
import { RowTooLarge } from '../../database/read/measure.ts'
import { readOne } from '../../database/read/one.ts'
import { parseRows } from '../../database/read/parsed.ts'
import { project, unionOf } from '../../database/read/projection.ts'
import { columnField } from '../../database/read/read-model.ts'
import { selectionShape } from '../../database/read/render.ts'
import type { Selection } from '../../database/read/selection.ts'
import type { RowReach } from '../../database/row-reach.ts'
import type { TimeSlice } from '../../database/time-slice.ts'
import { changesIn, type NetChange } from './changes.ts'
import { type Block, blockOf } from './event-block.ts'
import { type Entry, ListIndex } from './list-index.ts'
import type { ListSubscriber } from './list-subscriber.ts'
import { type Decision, decide } from './membership.ts'

export const listRenderer: Renderer = {
  rendering: (subscribers) => new ListRendering(subscribers as readonly ListSubscriber[]), // of its kind
}

/** Events that are joined by row: a row that changes twice is sent once. */
const maxEvents = 100
const maxConcurrentReads = 10

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
    const decisions = await decide(data, concerned, reachesOf())
    await slice.pause()
    for (const block of await this.#blocksOf(source, decisions, slice)) add(block.subscriber, block)
    const cursor = events.at(-1)?.cursor ?? ''
    return (subscriber) => itemsOf(subscriber as ListSubscriber, blocks.get(subscriber), cursor) // of its kind
  }

  async #blocksOf(source: EventSource, decisions: readonly Decision[], slice: TimeSlice) {
    const rows = await readChanged(source, decisions, slice)
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

/** The rows by change and by selection; `tooLarge` for one that is not rendered. */
type Rendered = ReadonlyMap<NetChange, ReadonlyMap<string, string> | 'tooLarge'>

function blockFor({ change, kind, entry }: Decision, rows: Rendered): Omit<Block, 'lists'> | null {
  const { id, version, changed } = change
  const named = `"kind":"${kind}","id":"${id}","version":${version}`
  if (kind === 'reset') return { event: 'reset', members: '"reason":"unknown"' }
  if (kind === 'leave' || kind === 'delete') return { event: 'change', members: named }
  const { selection } = entry.list
  // Whoever sees no member that has changed learns nothing of the change.
  const isSeen =
    kind === 'enter' || changed === null || selection.some(({ as }) => changed.has(as) || as === 'updatedAt')
  if (!isSeen) return null
  const row = rows.get(change)
  if (row === 'tooLarge') return { event: 'reset', members: '"reason":"large"' }
  const text = row?.get(selectionShape(selection))
  return text === undefined ? null : { event: 'change', members: `${named},"row":${text}` }
}

const version = { kind: 'field', as: 'version', field: columnField('version', 'integer') } as const

/** A row that has changed again since is not sent: its next event follows, and its caller may not reach what it is now. */
async function readChanged(
  { data, context }: EventSource,
  decisions: readonly Decision[],
  slice: TimeSlice,
): Promise<Rendered> {
  const shown = decisions.filter(({ kind }) => kind === 'enter' || kind === 'change')
  const byChange = [...Map.groupBy(shown, ({ change }) => change)]
  const rendered = new Map<NetChange, ReadonlyMap<string, string> | 'tooLarge'>()
  for (let from = 0; from < byChange.length; from += maxConcurrentReads) {
    const some = byChange.slice(from, from + maxConcurrentReads)
    await Promise.all(
      some.map(async ([change, own]) => {
        const row = await renderedRow(change, own)
        if (row !== null) rendered.set(change, row)
      }),
    )
    await slice.pause()
  }
  return rendered

  async function renderedRow(
    change: NetChange,
    own: readonly Decision[],
  ): Promise<ReadonlyMap<string, string> | 'tooLarge' | null> {
    const [first] = own
    if (first === undefined) return null
    const { source } = first.entry.list
    const selections = new Map(
      own.map(({ entry: { list } }) => [selectionShape(list.selection), list.selection]),
    )
    try {
      const selection = [...unionOf([...selections.values()]), version]
      const json = await readOne(data, {
        entity: source.model,
        selection,
        filter: hasKey(source.model, change.id),
      })
      if (json === null || !json.endsWith(`"version":${change.version}}`)) return null
      return await projected(json, selections, (text) => source.complete(context, text))
    } catch (error) {
      if (error instanceof RowTooLarge) return 'tooLarge'
      throw error
    }
  }
}

async function projected(
  json: string,
  selections: ReadonlyMap<string, Selection>,
  complete: (text: string) => Promise<string>,
): Promise<Map<string, string>> {
  const row = parseRows(json)
  const texts = new Map<string, string>()
  for (const [shape, selection] of selections)
    texts.set(shape, await complete([...project(row, selection)].join('')))
  return texts
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
