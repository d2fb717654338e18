/** The reply to HEAD: the headers of the reply to GET (RFC 9110, section 9.3.2), and nothing is read for a body. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { JsonText } from '../../core/feature/route.ts'

/** The server drains what it is given for HEAD: a list without end would be read, a subscription followed. */
export function sendHead(reply: FastifyReply, { content, type, reservation }: JsonText): FastifyReply {
  reply.header('content-type', type)
  reservation?.release()
  if (typeof content === 'string') reply.header('content-length', Buffer.byteLength(content))
  else if (Array.isArray(content)) reply.header('content-length', lengthOf(content))
  else void (content as AsyncIterable<unknown>)[Symbol.asyncIterator]().return?.() // what is no text is read piece by piece
  return reply.send(Readable.from([]))
}

function lengthOf(pieces: readonly (string | Uint8Array)[]): number {
  return pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
}
