/**
 * Makes the results of one event of a row: the row as it is now, the id of a deleted row, or an error that asks the
 * client to read its rows again.
 */
import type { FeedEvent } from '../../../core/events/feed.ts'
import type { Item } from '../../../core/live/stream.ts'
import type { EventSource } from '../../../core/live/subscriber.ts'
import { everything } from '../../../database/read/filter.ts'
import { parseRows } from '../../../database/read/parsed.ts'
import { project } from '../../../database/read/projection.ts'
import { isReadable } from '../../../database/read/readable.ts'
import { selectionShape } from '../../../database/read/render.ts'
import type { RowReach } from '../../../database/row-reach.ts'
import type { TimeSlice } from '../../../database/time-slice.ts'
import { changesIn, type NetChange } from '../../live/changes.ts'
import { withRows } from '../../live/current-rows.ts'
import type { Entry, ListIndex } from '../../live/list-index.ts'
import { type Decision, decide } from '../../live/membership.ts'
import { format, refuse } from '../error.ts'
import type { DecidedSubscriber } from './decided-subscriber.ts'
import { maxResultBytes } from './rendering.ts'

interface DecisionContext {
  source: EventSource
  slice: TimeSlice
  reachOf(entry: Entry): RowReach | null
}

type Result = readonly [DecidedSubscriber, Item | Error]

/** @param index the subscribers to events of the type of `event` */
export async function eventResults(
  event: FeedEvent,
  index: ListIndex,
  deciding: DecisionContext,
): Promise<Result[]> {
  const [change] = changesIn([event], (type) => index.followsChanges(type))
  if (change === undefined) return []
  const { source, reachOf } = deciding
  const entries = [...index.concerned(change)].filter((entry) => isSeen(change, entry, reachOf(entry)))
  const decisions = await decide(source.data, [{ change, entries }], reachOf)
  const [first] = entries
  const items = new EventItems(event)
  return first !== undefined && fieldOf(first).isDeletion === true
    ? deletions(decisions, items, deciding)
    : rows(decisions, items, deciding)
}

/** A caller who may not read any of the changed members does not learn of the change. */
function isSeen({ changed }: NetChange, { list }: Entry, reach: RowReach | null): boolean {
  if (changed === null || changed.size === 0) return true
  const { fields, relations } = list.source.model
  const reads = isReadable(reach)
  return [...changed].some((name) => {
    const member = fields.get(name) ?? relations.get(name)
    return member === undefined || reads(member)
  })
}

function deletions(
  decisions: readonly Decision[],
  items: EventItems,
  { reachOf }: DecisionContext,
): Result[] {
  return decisions.flatMap(({ entry, kind, change }): Result[] => {
    const isCertain = kind === 'delete' || (kind === 'reset' && hasEveryRow(entry, reachOf(entry)))
    if (isCertain) return [items.row(entry, deletedText(entry, change))]
    return kind === 'reset' ? [items.reset(entry)] : []
  })
}

function hasEveryRow({ list: { filter, source } }: Entry, reach: RowReach | null): boolean {
  return filter === everything && (reach === null || reach.readsAll(source.model.table))
}

function deletedText({ list }: Entry, { id }: NetChange): string {
  return [...project(parseRows(JSON.stringify({ id })), list.selection)].join('')
}

async function rows(
  decisions: readonly Decision[],
  items: EventItems,
  { source, slice, reachOf }: DecisionContext,
): Promise<Result[]> {
  const { decisions: decided, rows: current } = await withRows(source, decisions.map(byPresentRow), {
    slice,
    reachOf,
  })
  const results: Result[] = []
  for (const { entry, kind, change } of decided) {
    const row = current.get(change)
    if (kind === 'reset') results.push(items.reset(entry))
    else if (row === 'tooLarge') results.push(items.row(entry, null))
    else if (row !== undefined && (kind === 'enter' || kind === 'change'))
      results.push(items.row(entry, row.texts.get(selectionShape(entry.list.selection)) ?? null))
    await slice.pause()
  }
  return results
}

/** No row has this version. `withRows` therefore decides by the row as it is now, not by the event. */
const noVersion = -1

/** @returns the decision; one that the event does not allow is left to the row */
function byPresentRow(decision: Decision): Decision {
  if (decision.kind !== 'reset') return decision
  return { ...decision, kind: 'change', change: { ...decision.change, isCut: false, version: noVersion } }
}

/** The items of one event. Subscribers with the same result share one item. */
class EventItems {
  readonly #cursor: string
  readonly #items = new Map<string, Item | Error>()

  constructor({ cursor }: FeedEvent) {
    this.#cursor = cursor
  }

  /** @param text the row as JSON; `null` for a row that is too large */
  row({ subscriber: given }: Entry, text: string | null): Result {
    const subscriber = given as DecidedSubscriber // the rendering gets subscribers of its kind only
    const { shape, root } = subscriber
    let item = this.#items.get(shape)
    if (item === undefined) {
      item =
        text === null || Buffer.byteLength(text) > maxResultBytes
          ? refuse('cost', 'The result is too large: select less.')
          : { text: `{"data":{"${root.as}":${text}}}`, cursor: this.#cursor, holders: 0 }
      this.#items.set(shape, item)
    }
    return [subscriber, item]
  }

  reset({ subscriber }: Entry): Result {
    let item = this.#items.get('')
    if (item === undefined) {
      const error = refuse(
        'reset',
        'Whether a deleted row belonged to the subscription is not known: read the rows again.',
      )
      const text = JSON.stringify({ errors: format([error]), data: null })
      item = { text, cursor: this.#cursor, holders: 0 }
      this.#items.set('', item)
    }
    return [subscriber as DecidedSubscriber, item] // the rendering gets subscribers of its kind only
  }
}

function fieldOf({ subscriber }: Entry) {
  return (subscriber as DecidedSubscriber).root.field // the rendering gets subscribers of its kind only
}
