/** The stream of one client as server-sent events: changes as they come, and the cursor while there are none. */
import { ServiceError } from '../../core/errors.ts'
import { SentEvents } from '../../core/live/sent-events.ts'
import { type Item, TooSlow } from '../../core/live/stream.ts'
import { blockOf, listItem } from './event-block.ts'
import type { Following } from './live-lists.ts'

export const defaultQuietMs = 15_000
/** The longest wait before a client reconnects. The waits differ, so that the clients of a stopped instance spread. */
const maxRetryMs = 10_000

/** The token of the client is not valid any more. */
export class TokenEnded extends Error {}

export class ListStream extends SentEvents {
  readonly #following: Following

  /** @param begins the text that is sent first */
  constructor(following: Following, begins: string, quietMs: number) {
    const texts = {
      begins,
      textOf: ({ text }: Item) => text,
      ended: () => endOf('moved'),
      failed: (error: unknown) => endOf(reasonOf(error)),
    }
    super(following.stream, texts, quietMs)
    this.#following = following
  }

  /** Called periodically: sends the present cursor to a client that has received nothing for long. */
  check(): void {
    const { stream, cursor } = this.#following
    if (this.isSilent)
      stream.push([listItem([{ event: 'cursor', lists: null, members: '' }], cursor() ?? '')])
  }
}

function endOf(reason: string): string {
  const retryMs = reason === 'moved' ? Math.floor(Math.random() * maxRetryMs) : 0
  const members = `"reason":"${reason}","retryMs":${retryMs}`
  return blockOf({ event: 'end', lists: null, members }, null)
}

function reasonOf(error: unknown): string {
  if (error instanceof TooSlow) return 'slow'
  if (error instanceof TokenEnded) return 'token'
  if (error instanceof ServiceError && error.kind === 'forbidden') return 'forbidden'
  return 'error'
}
