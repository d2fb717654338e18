/** Renders events for all subscribers: each row is read once, and rendered once for each different selection. */

import type { FeedEvent } from '../../../core/events/feed.ts'
import type { Item } from '../../../core/live/stream.ts'
import type { EventSource, Renderer, Rendering, Results, Subscriber } from '../../../core/live/subscriber.ts'
import type { TenantData } from '../../../database/data.ts'
import { hasKey } from '../../../database/read/conditions.ts'
import { RowTooLarge } from '../../../database/read/measure.ts'
import { readOne } from '../../../database/read/one.ts'
import { parseRows } from '../../../database/read/parsed.ts'
import { project, projectedBytes, unionOf, withoutDuplicates } from '../../../database/read/projection.ts'
import { selectionShape } from '../../../database/read/render.ts'
import { maxBytesOf, maxRowBytes, type Selection } from '../../../database/read/selection.ts'
import type { TimeSlice } from '../../../database/time-slice.ts'
import type { Root } from '../document/plan.ts'
import { refuse } from '../error.ts'

export type SubscriptionRoot = Extract<Root, { kind: 'subscription' }>

/** A subscription to the rows of events. */
export interface RowSubscriber extends Subscriber {
  readonly root: SubscriptionRoot
  /** Equal for selections with the same result. */
  readonly shape: string
}

export const rowRenderer: Renderer = {
  rendering: () => new RowRendering(),
}

/** Equal for subscriptions with the same result. */
export function shapeOf({ as, field, selection }: SubscriptionRoot): string {
  return `${field.event}|${field.entity.name}|${as}|${selectionShape(selection)}`
}

/**
 * Rows are read concurrently: sequentially, a feed could fall behind on a busy database. Selections that may fill a row
 * are read one row at a time, because they occupy the database, and the first result that is too large ends the stream.
 */
const maxReads = 10
const maxReadBytes = maxRowBytes
/** The maximum number of results that are in memory before they are sent. */
const maxResults = 200
/** The largest result, in bytes. */
export const maxResultBytes = 500_000

interface Group {
  field: SubscriptionRoot['field']
  /** One root of each shape. */
  roots: Map<string, SubscriptionRoot>
  selection: Selection
  /** The database renders the selection, because it is the only one. */
  isPlain: boolean
}

class RowRendering implements Rendering {
  readonly #subscribers = new Set<RowSubscriber>()
  /** `null` after subscribers have come or gone. */
  #planned: { groups: Group[]; eventsAtOnce: number } | null = null

  get size(): number {
    return this.#subscribers.size
  }

  get eventsAtOnce(): number {
    return this.#plan().eventsAtOnce
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber as RowSubscriber) // the rendering gets subscribers of its kind only
    this.#planned = null
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber as RowSubscriber) // the rendering gets subscribers of its kind only
    this.#planned = null
  }

  /** @param events at most `eventsAtOnce` */
  async render({ data }: EventSource, events: readonly FeedEvent[], slice: TimeSlice): Promise<Results> {
    const rendered = new Map<string, Item[] | Error>()
    const subscribers = [...this.#subscribers]
    for (const group of this.#plan().groups) {
      const wanted = events.filter(({ type }) => type === group.field.event)
      const rows = await Promise.all(wanted.map((event) => read(data, group, event)))
      for (const [index, event] of wanted.entries()) {
        await addResults(rendered, group, { row: rows[index] ?? null, cursor: event.cursor }, slice)
      }
    }
    return subscribers.map((subscriber) => [subscriber, rendered.get(subscriber.shape) ?? []] as const)
  }

  #plan(): { groups: Group[]; eventsAtOnce: number } {
    this.#planned ??= planned([...this.#subscribers].map(({ root }) => root))
    return this.#planned
  }
}

/** @returns how many events may be rendered at once for these subscriptions */
export function eventsAtOnce(roots: readonly SubscriptionRoot[]): number {
  return planned(roots).eventsAtOnce
}

function planned(roots: readonly SubscriptionRoot[]): { groups: Group[]; eventsAtOnce: number } {
  const groups = [...Map.groupBy(roots, ({ field }) => field)].map(([field, all]) => groupOf(field, all))
  const shapes = groups.reduce((sum, group) => sum + group.roots.size, 0)
  const rowBytes = groups.map(({ selection }) => Math.min(maxRowBytes, maxBytesOf(selection)))
  const atOnce = Math.min(
    maxReads,
    Math.floor(maxResults / Math.max(1, shapes)),
    Math.floor(maxReadBytes / Math.max(1, ...rowBytes)),
  )
  return { groups, eventsAtOnce: Math.max(1, atOnce) }
}

function groupOf(field: SubscriptionRoot['field'], all: readonly SubscriptionRoot[]): Group {
  const roots = new Map(all.map((root) => [shapeOf(root), root]))
  const selections = [...roots.values()].map((root) => root.selection)
  const selection = selectionToRead(selections)
  return { field, roots, selection, isPlain: selection === selections[0] }
}

/** @returns one selection with all values; the only one as it is, unless it has a value under two names */
function selectionToRead(selections: readonly Selection[]): Selection {
  const [only, ...others] = selections
  if (only === undefined || others.length > 0) return unionOf(selections)
  const [distinct = only] = withoutDuplicates([only])
  return distinct
}

/** @returns the row as JSON */
async function read(
  data: TenantData,
  { field, selection }: Group,
  event: FeedEvent,
): Promise<string | RowTooLarge | null> {
  const { entity } = field
  const id = field.idOf(JSON.parse(event.data) as never) // validated against its schema when it was published
  try {
    return await readOne(data, { entity, selection, filter: hasKey(entity, id) })
  } catch (error) {
    if (error instanceof RowTooLarge) return error
    throw error
  }
}

/** @param row `null` if it was deleted */
async function addResults(
  rendered: Map<string, Item[] | Error>,
  group: Group,
  { row, cursor }: { row: string | RowTooLarge | null; cursor: string },
  slice: TimeSlice,
): Promise<void> {
  if (row === null) return
  const render = row instanceof RowTooLarge ? () => null : projector(group, row)
  for (const [shape, root] of group.roots) {
    const items = rendered.get(shape) ?? []
    if (items instanceof Error) continue
    const text = render(root.selection)
    if (text === null) rendered.set(shape, refuse('cost', 'The result is too large: select less.'))
    else rendered.set(shape, [...items, { text: `{"data":{"${root.as}":${text}}}`, cursor, holders: 0 }])
    await slice.pause()
  }
}

/** @returns a function that renders a selection of the row; `null` for a result that is too large */
function projector({ isPlain }: Group, json: string): (selection: Selection) => string | null {
  if (isPlain) return () => (Buffer.byteLength(json) > maxResultBytes ? null : json)
  const row = parseRows(json)
  return (selection) => {
    if (projectedBytes(row, selection) > maxResultBytes) return null
    return [...project(row, selection)].join('')
  }
}
