/** Sends JSON text: a short one at once, a longer one in pieces, as its client takes them. */

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { clientNetwork } from '../network.ts'
import { smallReplyBytes } from '../reply-memory.ts'
import type { JsonText } from './route.ts'

const pieceBytes = 64 * 1024
/** A list that is read piece by piece holds one piece here and one on its way. */
const streamBytes = 4 * pieceBytes

/** @throws ServiceError `unavailable` when replies hold too much memory already */
export function sendJson(reply: FastifyReply, { content, type, release }: JsonText, context: Context) {
  reply.header('content-type', type)
  if (release !== null) atClose(reply, release)
  if (typeof content === 'string' && content.length <= smallReplyBytes) return reply.send(content)
  if (typeof content === 'string' || isPieces(content)) {
    const buffers = buffersOf(content)
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
    if (bytes <= smallReplyBytes) return reply.send(Buffer.concat(buffers))
    if (release === null) reserve(reply, context, bytes)
    return reply.header('content-length', bytes).send(inPieces(slices(buffers)))
  }
  if (release === null && type.startsWith('application/json')) reserve(reply, context, streamBytes)
  return reply.send(inPieces(content))
}

type Pieces = readonly (string | Uint8Array)[]

function isPieces(content: JsonText['content']): content is Pieces {
  return Array.isArray(content)
}

/** Asks for a piece when the one before has left. */
function inPieces(source: Iterable<Uint8Array> | AsyncIterable<string | Uint8Array>): Readable {
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

function buffersOf(content: string | Pieces): Uint8Array[] {
  const pieces = typeof content === 'string' ? [content] : content
  return pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
}

function* slices(buffers: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const buffer of buffers) {
    for (let from = 0; from < buffer.length; from += pieceBytes)
      yield buffer.subarray(from, from + pieceBytes)
  }
}
