/** Closes connections whose clients take nothing of what was written to them: it stays in memory for so long. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const defaultStalledMs = 20_000
/** Of the time a client has, so that none has much longer. */
const checksInTime = 4

interface Watched {
  /** Bytes that had left for the kernel when it was looked at. */
  sentBytes: number
  sinceMs: number
}

/** @returns ends the watch */
export function closeStalled(server: Server, maxStalledMs = defaultStalledMs): () => void {
  const sockets = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { sentBytes: 0, sinceMs: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, watched] of sockets) {
      const sentBytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || sentBytes !== watched.sentBytes) {
        watched.sentBytes = sentBytes
        watched.sinceMs = nowMs
      } else if (nowMs - watched.sinceMs > maxStalledMs) {
        socket.destroy()
      }
    }
  }, maxStalledMs / checksInTime)
  timer.unref()
  return () => clearInterval(timer)
}
