/** Sends JSON text: a short one at once, a longer one in pieces, as its client takes them. */

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { clientNetwork } from '../network.ts'
import { smallReplyBytes } from '../reply-memory.ts'
import type { JsonText } from './route.ts'

const pieceCharacters = 64 * 1024
/** A list that is read piece by piece holds one piece here and one on its way. */
const streamBytes = 4 * pieceCharacters

/** @throws ServiceError `unavailable` when replies hold too much memory already */
export function sendJson(reply: FastifyReply, { content, type, release }: JsonText, context: Context) {
  reply.header('content-type', type)
  if (release !== null) atClose(reply, release)
  if (typeof content === 'string' && content.length <= smallReplyBytes) return reply.send(content)
  if (typeof content === 'string' || isPieces(content)) {
    const bytes = sizeOf(content)
    if (bytes <= smallReplyBytes) return reply.send(typeof content === 'string' ? content : content.join(''))
    if (release === null) reserve(reply, context, bytes)
    return reply.header('content-length', bytes).send(inPieces(slices(content)))
  }
  if (release === null && type.startsWith('application/json')) reserve(reply, context, streamBytes)
  return reply.send(inPieces(content))
}

function isPieces(content: JsonText['content']): content is readonly string[] {
  return Array.isArray(content)
}

/** Asks for a piece when the one before has left. */
function inPieces(source: Iterable<string> | AsyncIterable<string>): Readable {
  return Readable.from(source, { highWaterMark: 1 })
}

function reserve(reply: FastifyReply, { shared, tenant, clientAddress }: Context, bytes: number): void {
  const reservation = shared.replyMemory.reserve({
    tenantId: tenant.id,
    address: clientNetwork(clientAddress ?? ''),
  })
  reservation.grow(bytes)
  atClose(reply, () => reservation.release())
}

function atClose({ raw }: FastifyReply, release: () => void): void {
  if (raw.closed) release()
  else raw.once('close', release)
}

function sizeOf(content: string | readonly string[]): number {
  if (typeof content === 'string') return Buffer.byteLength(content)
  return content.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
}

function* slices(content: string | readonly string[]): Generator<string> {
  for (const text of typeof content === 'string' ? [content] : content) {
    for (let from = 0; from < text.length; ) {
      const to = endOfSlice(text, from)
      yield text.slice(from, to)
      from = to
    }
  }
}

/** Never between the halves of a surrogate pair. */
function endOfSlice(text: string, from: number): number {
  const to = from + pieceCharacters
  const last = text.charCodeAt(to - 1)
  return last >= 0xd800 && last <= 0xdbff ? to + 1 : to
}
