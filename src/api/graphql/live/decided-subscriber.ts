import type { ListSubscriber } from '../../live/list-subscriber.ts'
import type { RowSubscriber } from './rendering.ts'

/** A subscriber who gets only the rows that it may read and that match its filter. */
export type DecidedSubscriber = RowSubscriber & ListSubscriber
