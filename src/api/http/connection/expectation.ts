/**
 * Answers `Expect: 100-continue` when the body is about to be read, so that a client does not send what the headers have
 * refused (RFC 9110, section 10.1.1).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

interface WaitingResponse {
  response: ServerResponse
  isKeptAlive: boolean
}

/** Requests whose clients wait. */
const waiting = new WeakMap<IncomingMessage, WaitingResponse>()

/** Unknown expectations are ignored. */
export function acceptExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, { response, isKeptAlive: response.shouldKeepAlive })
    // The client of a refused request may send its body or not, and a body could be taken for the next request.
    response.shouldKeepAlive = false
    server.emit('request', request, response)
  })
}

/** To be called before a body is read. */
export function continueBody(message: IncomingMessage): void {
  const found = waiting.get(message)
  if (found === undefined) return
  waiting.delete(message)
  found.response.shouldKeepAlive = found.isKeptAlive
  found.response.writeContinue()
}
