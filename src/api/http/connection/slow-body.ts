/** Connections whose present request may take longer than the time limit of requests: its reader has a limit of its own. */
import type { Socket } from 'node:net'

const sockets = new WeakSet<Socket>()

/** @returns a function that ends the permission */
export function allowSlowBody(socket: Socket): () => void {
  sockets.add(socket)
  return () => sockets.delete(socket)
}

export function hasSlowBody(socket: Socket): boolean {
  return sockets.has(socket)
}
