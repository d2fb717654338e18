/** Lists that the database renders: a page of them, or all of them without holding more than a chunk. */
import { beforeAllIds, type JsonPage } from '../database/json-page.ts'
import { isUuid } from '../id.ts'
import { decodeCursor, defaultPageSize, encodeCursor } from '../page.ts'
import { contentTag } from './etag.ts'
import { nextLink } from './link.ts'
import { JsonText, Reply } from './route.ts'

/** Reads the rows behind an id, in the order of the ids. */
export type ReadJsonPage = (place: { after: string; limit: number }) => Promise<JsonPage | null>

/** Rows read at a time while everything is streamed. */
const chunkRows = 500

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
  const page = await read({ after, limit })
  const content = `[${page?.json ?? ''}]`
  const headers: Record<string, string> = { etag: contentTag(content) }
  if (page !== null && page.lastId !== null && page.count === limit) {
    const more = await read({ after: page.lastId, limit: 1 })
    if (more?.lastId) headers['link'] = nextLink(path, query, encodeCursor(page.lastId))
  }
  return new Reply(new JsonText(content), headers)
}

/** A list of one chunk is known whole before the first byte leaves, so it gets its tag as well. */
async function wholeList(read: ReadJsonPage): Promise<Reply> {
  const first = await read({ after: beforeAllIds, limit: chunkRows })
  if (first === null || first.lastId === null || first.count < chunkRows) {
    const content = `[${first?.json ?? ''}]`
    return new Reply(new JsonText(content), { etag: contentTag(content) })
  }
  return new Reply(new JsonText(chunks(first, read)), {})
}

async function* chunks(first: JsonPage, read: ReadJsonPage): AsyncIterable<string> {
  yield `[${first.json}`
  let page: JsonPage | null = first
  while (page !== null && page.lastId !== null && page.count === chunkRows) {
    // A turn for the other requests: on SQLite reading never waits for anything by itself.
    await new Promise((resolve) => setImmediate(resolve))
    page = await read({ after: page.lastId, limit: chunkRows })
    if (page?.json) yield `,${page.json}`
  }
  yield ']'
}
