/** Server-sent events of followed lists. Each has one line of JSON, and the last of a batch the cursor after it. */

export interface Block {
  event: 'ready' | 'change' | 'event' | 'cursor' | 'reset' | 'end'
  /** The names of the lists that it concerns. */
  lists: readonly string[] | null
  /** Further members, as JSON text without the braces. */
  members: string
}

export function blockOf({ event, lists, members }: Block, cursor: string | null): string {
  const named = lists === null ? [] : [`"list":${JSON.stringify(lists)}`]
  const data = `{${[...named, ...(members === '' ? [] : [members])].join()}}`
  return `event: ${event}\n${cursor === null ? '' : `id: ${cursor}\n`}data: ${data}\n\n`
}
