/** Closes connections whose clients take little of what was written to them: it stays in memory for so long. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { LimitMonitor } from '../../../core/limits/limit-monitor.ts'

const defaultStalledMs = 20_000
/** What a client has to take in that time while more waits for it. */
const minTakenBytes = 16 * 1024
/** Of the time a client has, so that none has much longer. */
const checksInTime = 4

interface Watched {
  /** What is told of it when it is cut. */
  limit: 'unread replies' | 'unread messages'
  /** Bytes that had left for the kernel when its time began. */
  sentBytes: number
  sinceMs: number
}

/** Plain connections, event streams and WebSockets alike. @returns ends the watch */
export function closeStalled(
  server: Server,
  monitor: LimitMonitor,
  maxStalledMs = defaultStalledMs,
): () => void {
  const sockets = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { limit: 'unread replies', sentBytes: 0, sinceMs: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('upgrade', ({ socket }) => {
    const watched = sockets.get(socket)
    if (watched !== undefined) watched.limit = 'unread messages'
  })
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, watched] of sockets) {
      const sentBytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || sentBytes - watched.sentBytes >= minTakenBytes) {
        watched.sentBytes = sentBytes
        watched.sinceMs = nowMs
      } else if (nowMs - watched.sinceMs > maxStalledMs) {
        monitor.refused(watched.limit, { address: socket.remoteAddress })
        socket.destroy()
      }
    }
  }, maxStalledMs / checksInTime)
  timer.unref()
  return () => clearInterval(timer)
}
