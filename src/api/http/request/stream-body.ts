/** Bodies that handlers read as they arrive. They may take longer than other requests, as long as they grow. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { refusal } from '../../../core/errors.ts'
import { continueBody } from '../connection/expectation.ts'
import { allowSlowBody } from '../connection/slow-body.ts'

/** Such a body must grow by this much within the time in which any other request has to arrive as a whole. */
const minGrowthBytes = 64 * 1024

export const noContent: AsyncIterable<Uint8Array> = Readable.from([])

export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _message, done) => done(null, undefined))
}

/** @throws ServiceError `invalid` for a body that breaks off or hardly grows */
export async function* readContent(
  message: IncomingMessage,
  maxStalledMs: number,
): AsyncGenerator<Uint8Array> {
  const endSlowBody = allowSlowBody(message.socket)
  continueBody(message)
  let received = 0
  let counted = 0
  const timer = setInterval(() => {
    if (received - counted < minGrowthBytes) message.destroy(new Error('The body hardly grows.'))
    counted = received
  }, maxStalledMs)
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      received += chunk.length
      yield chunk
    }
  } catch (cause) {
    throw refusal('bodyIncomplete', {}, { cause })
  } finally {
    clearInterval(timer)
    endSlowBody()
  }
}
