/** Merges what a slow reader has not read yet: of each row in each list, only the last change remains. */
import { type Block, type ListItem, listItem } from './event-block.ts'
import type { ChangeKind } from './membership.ts'

interface UnreadBlock {
  block: Block
  list: string
  kind: ChangeKind | null
}

/** @param items of one stream, in their order */
export function mergedItems(items: readonly ListItem[]): ListItem[] {
  const unread = new UnreadBlocks()
  for (const { blocks } of items) for (const block of blocks) unread.add(block)
  const merged = unread.merged()
  const cursor = items.findLast(({ cursor: own }) => own !== '')?.cursor ?? ''
  if (merged.length > 0) return [listItem(merged, cursor)]
  return cursor === '' ? [] : [listItem([{ event: 'cursor', lists: null, members: '' }], cursor)]
}

/** The key of `reset` among the ids of the rows of a list. */
const resetKey = ''

class UnreadBlocks {
  readonly #kept: (UnreadBlock | null)[] = []
  /** The place of the last change of each row: by list, then by the id of the row. */
  readonly #places = new Map<string, Map<string, number>>()

  add(block: Block): void {
    for (const list of block.lists ?? []) {
      if (block.event === 'event') this.#kept.push({ block, list, kind: null })
      else if (block.row === undefined) this.#reset(list, block)
      else this.#change(list, block, block.row)
    }
  }

  /** @returns events last: a client that gets an event has the rows that were written before it */
  merged(): Block[] {
    const kept = this.#kept.filter((each) => each !== null)
    return rejoined(kept.toSorted((one, other) => placeOf(one.block) - placeOf(other.block)))
  }

  /** Removes all earlier changes of the list, because the client reads the list again. */
  #reset(list: string, block: Block): void {
    const places = this.#placesOf(list)
    for (const place of places.values()) this.#kept[place] = null
    places.clear()
    places.set(resetKey, this.#kept.length)
    this.#kept.push({ block, list, kind: null })
  }

  /** Of a row that enters and leaves, `leave` is sent: a client that has read its list in between has the row. */
  #change(list: string, block: Block, { id, kind }: NonNullable<Block['row']>): void {
    const places = this.#placesOf(list)
    const place = places.get(id) ?? -1
    const isNew = this.#kept[place]?.kind === 'enter' && kind === 'change'
    if (place >= 0) this.#kept[place] = null
    places.set(id, this.#kept.length)
    this.#kept.push({ block, list, kind: isNew ? 'enter' : kind })
  }

  #placesOf(list: string): Map<string, number> {
    const places = this.#places.get(list) ?? new Map<string, number>()
    this.#places.set(list, places)
    return places
  }
}

function placeOf({ event }: Block): number {
  return event === 'event' ? 1 : 0
}

/** Joins the blocks of lists that get the same text of one row. */
function rejoined(kept: readonly UnreadBlock[]): Block[] {
  return [...Map.groupBy(kept, ({ block }) => block)].flatMap(([block, ofBlock]) =>
    [...Map.groupBy(ofBlock, ({ kind }) => kind)].map(([kind, some]) => ({
      ...block,
      lists: some.map(({ list }) => list),
      ...(block.row !== undefined && kind !== null && { row: { ...block.row, kind } }),
    })),
  )
}
