/**
 * The replies that are not yet sent completely. A stop of the service waits for them, and an upgrade of a connection
 * waits for the replies on the same connection.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SlotList } from '../../../core/slot-list.ts'

export class OpenReplies {
  readonly #open = new SlotList<ServerResponse>()
  #closed: ((response: ServerResponse) => void) | null = null
  #lastClosedAtMs = Number.NEGATIVE_INFINITY

  get size(): number {
    return this.#open.size
  }

  get lastClosedAtMs(): number {
    return this.#lastClosedAtMs
  }

  all(): ServerResponse[] {
    return this.#open.items()
  }

  isOpenOn(socket: Socket): boolean {
    return this.all().some(({ req }) => req.socket === socket)
  }

  /** Runs for every request: anything that only a stop needs is computed by the stop. */
  track(response: ServerResponse): void {
    const slot = this.#open.add(response)
    // Not `once`, which costs more: a response closes once.
    response.on('close', () => {
      this.#open.remove(slot)
      this.#lastClosedAtMs = performance.now()
      this.#closed?.(response)
    })
  }

  /** @param listener called from now on with each reply that is sent completely, or whose client is gone */
  onClosed(listener: (response: ServerResponse) => void): void {
    this.#closed = listener
  }
}
