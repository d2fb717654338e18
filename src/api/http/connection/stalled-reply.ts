/** Closes connections whose clients read too slowly, because unread bytes stay in memory. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { LimitMonitor } from '../../../core/limits/limit-monitor.ts'
import type { Limit } from '../../../database/limit.ts'

const defaultStalledMs = 20_000
/** The bytes that a client has to read within that time if there are more. */
const minTakenBytes = 16 * 1024
/** The number of checks within that time, so that no client gets much more. */
const checksInTime = 4

export const stalledLimit: Limit = {
  name: 'output that a client must read while more is waiting',
  kind: 'rate',
  bounds: { connection: `${minTakenBytes / 1024} KiB in ${defaultStalledMs / 1000} seconds, at least` },
  changedBy: ['stalledMs'],
  beyond: 'the connection is closed',
  reasons: ['unread replies', 'unread messages'],
  page: 'api/replies.md#slow-clients',
}

interface Watched {
  /** The limit that is logged for the connection. */
  limit: 'unread replies' | 'unread messages'
  /** Bytes passed to the kernel when its time began. */
  sentBytes: number
  sinceMs: number
}

/** Watches plain connections, event streams and WebSockets. @returns a function that ends the watch */
export function closeStalled(
  server: Server,
  monitor: LimitMonitor,
  maxStalledMs = defaultStalledMs,
): () => void {
  const sockets = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { limit: 'unread replies', sentBytes: 0, sinceMs: performance.now() })
    socket.on('close', () => sockets.delete(socket)) // `once` takes more memory
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
