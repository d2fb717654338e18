/** Follows one list with its filters: `POST /api/live` reports rows that enter, change, leave or are deleted. */
import { serviceAddress } from '../service.ts'
import { currentToken } from '../session.ts'

const reconnectMs = 5000
/** A stream that is silent for so long is lost: the service sends something every 15 seconds. */
const silentMs = 40_000

export interface FollowedList {
  entity: string
  /** The filters, by the names of the list's parameters. */
  filter: Readonly<Record<string, string>>
}

interface Follower {
  /** Called when the list has other rows, or rows with other values. */
  changed: (id: null) => void
  connected: (isConnected: boolean) => void
}

/** @returns a function that ends it */
export function followList(list: FollowedList, follower: Follower): () => void {
  const gone = new AbortController()
  void stayConnected(list, follower, gone.signal)
  return () => gone.abort()
}

async function stayConnected(list: FollowedList, follower: Follower, gone: AbortSignal): Promise<void> {
  let after: string | undefined
  while (!gone.aborted) {
    const lost = new AbortController()
    const read = readStream({ list, after }, AbortSignal.any([gone, lost.signal]), {
      lose: () => lost.abort(),
      place: (cursor) => {
        after = cursor
      },
      ...follower,
    })
    const waitMs = await read.catch(() => reconnectMs)
    if (gone.aborted) return
    follower.connected(false)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

interface Reader extends Follower {
  lose: () => void
  place: (cursor: string) => void
}

/** @returns how long to wait before the stream is opened again */
async function readStream(
  { list, after }: { list: FollowedList; after: string | undefined },
  signal: AbortSignal,
  reader: Reader,
): Promise<number> {
  const token = await currentToken()
  const reply = await fetch(serviceAddress('/api/live'), {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ after, lists: { rows: list } }),
  })
  if (!reply.ok || reply.body === null) return reconnectMs
  let waitMs = 0
  let silence = setTimeout(reader.lose, silentMs)
  for await (const { event, id, data } of eventsIn(reply.body)) {
    clearTimeout(silence)
    silence = setTimeout(reader.lose, silentMs)
    if (id !== undefined) reader.place(id)
    if (event === 'ready') reader.connected(true)
    if (event === 'change' || event === 'reset') reader.changed(null)
    if (event === 'end') waitMs = (JSON.parse(data) as { retryMs: number }).retryMs // the form that the protocol defines
  }
  clearTimeout(silence)
  return waitMs
}

interface StreamEvent {
  event: string
  id: string | undefined
  data: string
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += read.value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    yield* blocks.map(eventIn)
  }
}

function eventIn(block: string): StreamEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const end = line.indexOf(': ')
      return [line.slice(0, end), line.slice(end + 2)] as const
    }),
  )
  return { event: fields.get('event') ?? '', id: fields.get('id'), data: fields.get('data') ?? '' }
}
