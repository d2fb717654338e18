/** Answers requests that Node.js would refuse itself with error replies of the service. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { errorKinds } from '../../../core/errors.ts'
import { errorReply } from './reject-connection.ts'
import { hasSlowBody } from './slow-body.ts'

interface ParserError extends Error {
  code?: string
}

/** The replies by the codes of Node's parser. Any other code means invalid HTTP. */
const answers: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', errorKinds.headersTooLarge.text],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}
const noHttp: [string, string] = ['400 Bad Request', 'The request is not valid HTTP.']

/** Requests that the parser refuses do not reach Fastify. @param headers of every reply */
export function answerBrokenRequest(headers: Readonly<Record<string, string>>) {
  return (error: ParserError, socket: Socket): void => {
    // Node.js reports a request that takes too long once. The reader of a slow body has a time limit of its own.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasSlowBody(socket)) return
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const [status, message] = answers[error.code ?? ''] ?? noHttp
    socket.end(errorReply(status, message, headers))
  }
}

/** Requires exactly one Host (RFC 9112, section 3.2). Node.js would take the first of several. */
export function hasSingleHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  return httpVersion === '1.0' || countHosts(rawHeaders) === 1
}

/** @param rawHeaders names and values in turn */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}
