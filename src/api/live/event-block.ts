/** Server-sent events of followed lists. Each has one line of JSON, and the last of a batch the cursor after it. */
import type { Item } from '../../core/live/stream.ts'
import type { ChangeKind } from './membership.ts'

export interface Block {
  event: 'ready' | 'change' | 'event' | 'cursor' | 'reset' | 'end'
  /** The names of the lists that the event concerns; `null` for an event that names none. */
  lists: readonly string[] | null
  /** The changed row; only a change has one. */
  row?: { id: string; kind: ChangeKind }
  /** Further members, as JSON text without the braces. */
  members: string
}

export function blockOf({ event, lists, row, members }: Block, cursor: string | null): string {
  const named = lists === null ? [] : [`"list":${JSON.stringify(lists)}`]
  const ofRow = row === undefined ? [] : [`"kind":"${row.kind}","id":"${row.id}"`]
  const data = [...named, ...ofRow, ...(members === '' ? [] : [members])].join()
  return `event: ${event}\n${cursor === null ? '' : `id: ${cursor}\n`}data: {${data}}\n\n`
}

/** The server-sent events that arrive together at a client. */
export interface ListItem extends Item {
  blocks: readonly Block[]
}

export function listItem(blocks: readonly Block[], cursor: string): ListItem {
  // Added and not joined, because texts of one row are then in memory once for all clients.
  let text = ''
  for (const [place, block] of blocks.entries())
    text += blockOf(block, place === blocks.length - 1 && cursor !== '' ? cursor : null)
  return { text, cursor, holders: 0, blocks }
}
