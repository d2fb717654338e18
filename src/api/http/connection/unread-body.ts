/**
 * Reads on after a reply that did not wait for the whole body, and then closes: a reset would take the reply away from a
 * client that still sends (RFC 9112, section 9.6).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { allowSlowBody } from './slow-body.ts'

/** The maximum that is read after the reply, in bytes and in time. A client that sends more loses the connection. */
const maxDiscardedBytes = 64 * 1024 * 1024
const maxDiscardMs = 5000
const checkMs = 50

/** @param server before other listeners for requests are added */
export function discardUnreadBodies(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // This listener must be the first, because the listener of Node.js closes the connection.
    if (hasBody(request)) response.prependOnceListener('finish', () => discardRest(request))
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function discardRest(message: IncomingMessage): void {
  const { socket } = message
  if (message.complete || socket.destroyed) return
  const closesAfterwards = delayClose(socket)
  const endSlowBody = allowSlowBody(socket) // the bounds of this module replace the time limit of requests
  const maxRead = socket.bytesRead + maxDiscardedBytes
  const latest = performance.now() + maxDiscardMs
  // Node.js discards the body without telling of its chunks.
  const timer = setInterval(() => {
    if (message.complete) end()
    else if (socket.bytesRead > maxRead || performance.now() > latest) socket.destroy()
  }, checkMs).unref()
  const end = (): void => {
    clearInterval(timer)
    socket.off('close', end)
    message.off('end', end)
    endSlowBody()
    closesAfterwards()
  }
  socket.once('close', end)
  message.once('end', end)
  message.on('error', () => undefined) // nobody waits for the rest
  message.resume()
}

/**
 * From now on, closing the connection only ends the service's own side of it.
 * @returns a function that closes the connection if it was to be closed in the meantime
 */
function delayClose(socket: Socket): () => void {
  let isClosing = false
  socket.destroySoon = () => {
    isClosing = true
    socket.end()
  }
  return () => {
    Reflect.deleteProperty(socket, 'destroySoon') // that of the prototype
    if (isClosing) socket.destroySoon()
  }
}
