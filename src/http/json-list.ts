/** Lists that the database renders: a page of them, or all of them without holding more than a chunk. */
import { beforeAllIds, type JsonPage } from '../database/json-page.ts'
import { isUuid } from '../id.ts'
import { decodeCursor, defaultPageSize, encodeCursor } from '../page.ts'
import { SharedTurns } from '../shared-turns.ts'
import { contentTag } from './etag.ts'
import { nextLink } from './link.ts'
import { JsonText, Reply } from './route.ts'

/** Reads the rows behind an id, in the order of the ids. */
export type ReadJsonPage = (place: { after: string; limit: number }) => Promise<JsonPage | null>

/** Of a whole list. */
const firstPieceRows = 16
const maxPieceRows = 500
/** What a piece is to have, by the rows of the one before. */
const pieceBytes = 64 * 1024
/** A list that is over by then is known whole before its first byte leaves, so it gets its tag as well. */
const maxWholeBytes = 128 * 1024

/** Of the objects, joined by commas: a long one is bytes, which are no matter of the heap. */
type Piece = string | Uint8Array
const maxTextCharacters = 16 * 1024

/** Of all lists. */
const pieceTurns = new SharedTurns()

interface ListQuery {
  limit?: number
  cursor?: string
}

/** With `limit` or `cursor` a page and the link to the next; without them all rows, streamed. */
export function listReply(path: string, query: ListQuery, read: ReadJsonPage): Promise<Reply> {
  return query.limit === undefined && query.cursor === undefined
    ? wholeList(read)
    : onePage(path, query, read)
}

async function onePage(path: string, query: ListQuery, read: ReadJsonPage): Promise<Reply> {
  const limit = query.limit ?? defaultPageSize
  const after = query.cursor === undefined ? beforeAllIds : decodeCursor(query.cursor, isUuid)
  const pieces: Piece[] = []
  let lastId: string | null = null
  let count = 0
  for await (const piece of readPieces(read, { after, limit, firstRows: defaultPageSize })) {
    if (piece.json !== null) pieces.push(pieceOf(piece.json))
    count += piece.count
    lastId = piece.lastId ?? lastId
  }
  const content = bracketed(pieces)
  const headers: Record<string, string> = { etag: contentTag(content) }
  if (lastId !== null && count === limit) {
    const more = await read({ after: lastId, limit: 1 })
    if (more?.lastId) headers['link'] = nextLink(path, query, encodeCursor(lastId))
  }
  return new Reply(new JsonText(content), headers)
}

async function wholeList(read: ReadJsonPage): Promise<Reply> {
  const place = { after: beforeAllIds, limit: Number.POSITIVE_INFINITY, firstRows: firstPieceRows }
  const source = readPieces(read, place)[Symbol.asyncIterator]()
  const pieces: Piece[] = []
  let length = 0
  for (;;) {
    const { done, value } = await source.next()
    if (done === true) {
      const content = bracketed(pieces)
      return new Reply(new JsonText(content), { etag: contentTag(content) })
    }
    if (value.json === null) continue
    pieces.push(pieceOf(value.json))
    length += value.json.length
    if (length > maxWholeBytes) return new Reply(new JsonText(goOn(pieces, source)), {})
  }
}

function pieceOf(json: string): Piece {
  return json.length > maxTextCharacters ? Buffer.from(json) : json
}

/** The objects of all pieces as one array. */
function bracketed(pieces: readonly Piece[]): string | Piece[] {
  const [only = ''] = pieces
  if (pieces.length <= 1 && typeof only === 'string') return `[${only}]`
  return [...pieces.flatMap((piece, index) => [index === 0 ? '[' : ',', piece]), ']']
}

async function* goOn(begun: readonly Piece[], rest: AsyncIterable<JsonPage>): AsyncIterable<Piece> {
  for (const [index, piece] of begun.entries()) {
    yield index === 0 ? '[' : ','
    yield piece
  }
  for await (const { json } of rest) if (json !== null) yield Buffer.from(`,${json}`)
  yield ']'
}

interface Stretch {
  after: string
  /** Rows in all. */
  limit: number
  /** Of the first piece: nobody knows yet how long they are. */
  firstRows: number
}

/** Rows in pieces of about the same size. */
async function* readPieces(read: ReadJsonPage, stretch: Stretch): AsyncGenerator<JsonPage, void> {
  let { after, limit: left, firstRows: rows } = stretch
  while (left > 0) {
    const wanted = Math.min(rows, left)
    const page = await read({ after, limit: wanted })
    if (page === null || page.lastId === null) return
    yield page
    left -= page.count
    if ((page.count < wanted && page.isCut !== true) || left <= 0) return
    after = page.lastId
    const rowBytes = (page.json?.length ?? 0) / page.count
    rows = Math.min(maxPieceRows, Math.max(1, Math.round(pieceBytes / rowBytes)))
    // Turns for other requests: on SQLite reading never waits for anything by itself.
    await pieceTurns.take([])
  }
}
