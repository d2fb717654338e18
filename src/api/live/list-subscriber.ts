/** A client that follows lists. */
import type { Subscriber } from '../../core/live/subscriber.ts'
import type { RowReach } from '../../database/row-reach.ts'
import type { DecidedList, FollowedEvents } from './followed.ts'

export interface ListSubscriber extends Subscriber {
  readonly followed: { lists: readonly DecidedList[]; events: readonly FollowedEvents[] }
  /** What the row and field rules let the caller read at present. */
  reach(): RowReach | null
  /** @returns the cursor as the client keeps it */
  cursorOf(feedCursor: string): string
}
