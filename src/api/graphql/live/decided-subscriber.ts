import type { ListSubscriber } from '../../live/list-subscriber.ts'
import type { RowSubscriber } from './rendering.ts'

/** A subscription of which each subscriber gets the rows that it reaches, and that match its filter. */
export type DecidedSubscriber = RowSubscriber & ListSubscriber
