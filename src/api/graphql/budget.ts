/** The budget of an operation: rows and bytes in total, database time, and the caller's cost units. */

import type { Context } from '../../core/context.ts'
import { CallerTime } from '../../core/limits/caller-time.ts'
import { GrowingReply, type ReplyReservation, smallReplyBytes } from '../../core/limits/reply-memory.ts'
import type { ReadBudget } from '../../database/read/measure.ts'
import type { Limits } from './document/limits.ts'
import { refuse } from './error.ts'

type BudgetLimits = Pick<Limits, 'rows' | 'bytes'>

export class OperationBudget implements ReadBudget {
  readonly #reply: GrowingReply
  readonly #limits: BudgetLimits
  #rows = 0
  #bytes = 0
  readonly time: CallerTime

  constructor(context: Context, limits: BudgetLimits) {
    this.#reply = new GrowingReply(context.shared.replyMemory, context)
    this.#limits = limits
    this.time = new CallerTime(context)
  }

  /** @throws GraphQLError, ServiceError `unavailable`, `tooManyRequests` */
  take(rows: number, bytes: number): void {
    this.#rows += rows
    this.#bytes += bytes
    if (this.#rows > this.#limits.rows) {
      throw refuse('pageSize', `More than ${this.#limits.rows} rows match: narrow the filter.`)
    }
    if (this.#bytes > this.#limits.bytes) {
      throw refuse('cost', `The reply would have more than ${this.#limits.bytes} bytes: select less.`)
    }
    if (this.#bytes > smallReplyBytes) this.time.account.spendBytes(bytes)
    this.#reply.grow(bytes)
  }

  /** The reservation of the reply, released when it was sent or aborted; `null` for a small reply. */
  get reservation(): ReplyReservation | null {
    return this.#reply.reservation
  }

  /** Headers of the reply; none for a cheap operation. */
  headers(): Record<string, string> {
    return this.time.headers()
  }
}
