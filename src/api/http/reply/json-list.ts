/** Sends lists that the database renders: one page, or all rows as a stream that holds one chunk at a time. */
import type { Context } from '../../../core/context.ts'
import { JsonText, Reply } from '../../../core/feature/route.ts'
import { isUuid } from '../../../core/id.ts'
import { callerPath } from '../../../core/limits/caller.ts'
import { ReadLimiter } from '../../../core/limits/read-limiter.ts'
import { GrowingReply } from '../../../core/limits/reply-memory.ts'
import { TurnScheduler } from '../../../core/limits/turn-scheduler.ts'
import { decodeCursor, defaultPageSize, encodeCursor } from '../../../core/page.ts'
import { beforeAllIds, type JsonPage } from '../../../database/json-page.ts'
import { KeyProgress } from '../../../database/key-progress.ts'
import { nextLink } from './link.ts'
import { listTag } from './list-tag.ts'

/** Reads the rows after a place in the list: an id, or what the list's `Cursors` read. */
export type ReadJsonPage = (range: { after: string; limit: number }) => Promise<JsonPage | null>

/** The first chunk of a whole list. */
const firstChunkRows = 16
const maxChunkRows = 500
/** The target size of a chunk, estimated from the previous one. */
const chunkBytes = 64 * 1024
/** A list up to this size is complete before its first byte is sent, and gets a tag. */
const maxWholeBytes = 128 * 1024
/** A page is complete before it is sent: it ends with the chunk that reaches this size. */
const maxPageBytes = 1024 * 1024

/** Objects joined by commas. A long chunk is bytes, which are outside of the heap. */
type Chunk = string | Uint8Array
const maxTextCharacters = 16 * 1024

/** Streams of all lists read their chunks in turns. */
const chunkTurns = new TurnScheduler()
const readLimiter = new ReadLimiter()

interface ListQuery {
  limit?: number
  cursor?: string
}

/** How a list names its places to callers. */
export interface Cursors {
  /** The place before the first row. */
  start: string
  encode(place: string): string
  /** @throws ServiceError `invalid` for a cursor of another list */
  decode(cursor: string): string
}

const idCursors: Cursors = {
  start: beforeAllIds,
  encode: encodeCursor,
  decode: (cursor) => decodeCursor(cursor, isUuid),
}

/**
 * With `limit` or `cursor`, a page and the link to the next; without them all rows, streamed. A page of long rows may
 * have fewer rows than its limit: only its link shows whether more follow.
 * @throws ServiceError `invalid` for a cursor of another list, `unavailable` when replies hold too much memory
 */
export function listReply(
  context: Context,
  path: string,
  query: ListQuery,
  read: ReadJsonPage,
  cursors = idCursors,
): Promise<Reply> {
  return readLimiter.run(context, (hasWaited) => {
    // A client that has left while its request waited needs no rows.
    const isDisconnected = hasWaited && context.signal?.aborted === true
    return createReply(context, { path, query, cursors, read: isDisconnected ? readNothing : read })
  })
}

async function createReply(context: Context, request: PageRequest): Promise<Reply> {
  const chunks: Chunk[] = []
  const drop = () => {
    chunks.length = 0
  }
  const growing = new GrowingReply(context.shared.replyMemory, context, drop)
  const { query } = request
  try {
    return query.limit === undefined && query.cursor === undefined
      ? await wholeList(context, request, { chunks, growing })
      : await onePage(context, request, { chunks, growing })
  } catch (error) {
    growing.release()
    throw error
  }
}

const readNothing: ReadJsonPage = async () => null

interface PageRequest {
  path: string
  query: ListQuery
  cursors: Cursors
  read: ReadJsonPage
}

/** The part of a list that is read before its first byte is sent, and its memory. */
interface ListHead {
  chunks: Chunk[]
  growing: GrowingReply
}

async function onePage(
  context: Context,
  { path, query, cursors, read }: PageRequest,
  beginning: ListHead,
): Promise<Reply> {
  const limit = query.limit ?? defaultPageSize
  const after = query.cursor === undefined ? cursors.start : cursors.decode(query.cursor)
  const chunks = new ChunkReader(context, read, { after, limit, firstRows: defaultPageSize })
  const { count, last } = await collect(chunks, maxPageBytes, beginning)
  const content = bracketed(beginning.chunks)
  const headers: Record<string, string> = { etag: listTag(content) }
  if (last?.lastId && (count === limit || !chunks.isOver)) {
    const hasMore = last.hasMore ?? (await read({ after: last.lastId, limit: 1 }))?.lastId
    if (hasMore) headers['link'] = nextLink(path, query, cursors.encode(last.lastId))
  }
  return new Reply(jsonText(content, beginning), headers)
}

async function wholeList(
  context: Context,
  { cursors, read }: PageRequest,
  beginning: ListHead,
): Promise<Reply> {
  const range = { after: cursors.start, limit: Number.POSITIVE_INFINITY, firstRows: firstChunkRows }
  const chunks = new ChunkReader(context, read, range)
  await collect(chunks, maxWholeBytes, beginning)
  if (!chunks.isOver) return new Reply(jsonText(streamRest(beginning.chunks, chunks), beginning), {})
  const content = bracketed(beginning.chunks)
  return new Reply(jsonText(content, beginning), { etag: listTag(content) })
}

/** Collects chunks up to the one that exceeds `maxBytes`. @throws ServiceError `unavailable` */
async function collect(
  source: ChunkReader,
  maxBytes: number,
  { chunks, growing }: ListHead,
): Promise<{ count: number; last: JsonPage | null }> {
  let count = 0
  let last: JsonPage | null = null
  for (let bytes = 0; bytes <= maxBytes; ) {
    const page = await source.next()
    if (page === null) break
    last = page
    count += page.count
    if (page.json === null) continue
    const chunk = chunkOf(page.json)
    chunks.push(chunk)
    bytes += chunk.length
    growing.grow(chunk.length)
    if (source.isOver) break
  }
  return { count, last }
}

function jsonText(content: JsonText['content'], { growing }: ListHead): JsonText {
  return new JsonText(content, undefined, growing.reservation)
}

function chunkOf(json: string): Chunk {
  return json.length > maxTextCharacters ? Buffer.from(json) : json
}

/** Joins all chunks to one JSON array. */
function bracketed(chunks: readonly Chunk[]): string | Chunk[] {
  const [only = ''] = chunks
  if (chunks.length <= 1 && typeof only === 'string') return `[${only}]`
  return [...chunks.flatMap((chunk, index) => [index === 0 ? '[' : ',', chunk]), ']']
}

async function* streamRest(begun: readonly Chunk[], rest: ChunkReader): AsyncIterable<Chunk> {
  for (const [index, chunk] of begun.entries()) {
    yield index === 0 ? '[' : ','
    yield chunk
  }
  for (let page = await rest.next(); page !== null; page = await rest.next())
    if (page.json !== null) yield Buffer.from(`,${page.json}`)
  yield ']'
}

interface ChunkRequest {
  after: string
  /** The maximum number of rows to read in total. */
  limit: number
  /** The rows of the first part, when the size of the rows is unknown. */
  firstRows: number
}

/** Reads rows in chunks of about the same size, until the client disconnects. */
class ChunkReader {
  readonly #context: Context
  readonly #read: ReadJsonPage
  readonly #progress = new KeyProgress()
  #after: string
  #left: number
  #rows: number
  #hasBegun = false
  #isOver = false

  constructor(context: Context, read: ReadJsonPage, { after, limit, firstRows }: ChunkRequest) {
    this.#context = context
    this.#read = read
    this.#after = after
    this.#left = limit
    this.#rows = firstRows
  }

  /** Whether all rows were read. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** @returns `null` after the last chunk */
  async next(): Promise<JsonPage | null> {
    if (this.#isOver || (this.#hasBegun && (await this.#isDisconnected()))) return this.#end()
    this.#hasBegun = true
    const wanted = Math.min(this.#rows, this.#left)
    const page = await this.#read({ after: this.#after, limit: wanted })
    if (page === null || page.lastId === null) return this.#end()
    this.#left -= page.count
    this.#isOver = this.#left <= 0 || (page.count < wanted && page.isCut !== true)
    if (!this.#isOver) this.#advance(page, page.lastId)
    return page
  }

  #end(): null {
    this.#isOver = true
    return null
  }

  #advance({ json, count }: JsonPage, lastId: string): void {
    this.#after = lastId
    this.#progress.advance(lastId)
    const rowBytes = (json?.length ?? 0) / count
    this.#rows = Math.min(maxChunkRows, Math.max(1, Math.round(chunkBytes / rowBytes)))
  }

  /** Yields to other requests between two chunks: on SQLite a read does not yield by itself. */
  async #isDisconnected(): Promise<boolean> {
    const { owner, actor, clientAddress, signal } = this.#context
    await chunkTurns.take(callerPath(owner ?? '', actor, clientAddress ?? ''))
    return signal?.aborted === true
  }
}
