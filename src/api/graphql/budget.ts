/** What one operation may read: rows and bytes in all, time in the database, and what its caller has left. */

import type { Context } from '../../core/context.ts'
import { CallerTime } from '../../core/limits/caller-time.ts'
import { GrowingReply, type ReplyReservation, smallReplyBytes } from '../../core/limits/reply-memory.ts'
import type { ReadBudget } from '../../database/read/budget.ts'
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
      throw refuse('cost', `The reply would have more than ${this.#limits.bytes} bytes: select less of it.`)
    }
    if (this.#bytes > smallReplyBytes) this.time.account.spendBytes(bytes)
    this.#reply.grow(bytes)
  }

  /** Of the reply, to be released when it has been sent or given up; `null` for a small one. */
  get reservation(): ReplyReservation | null {
    return this.#reply.reservation
  }

  /** Of the reply; none for an operation that cost nothing to speak of. */
  headers(): Record<string, string> {
    return this.time.headers()
  }
}
