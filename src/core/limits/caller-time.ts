/**
 * The database time that one operation may use. The time that it spends is charged to the account of its caller, who is
 * refused with 429 when the account is empty.
 */

import type { TimeAllowance } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import { callerOf } from './caller.ts'
import type { CostAccount } from './cost-limiter.ts'

/** The caller whose account is charged. */
export type Payer = Pick<Context, 'actor' | 'tenant' | 'clientAddress' | 'shared'>

/** @throws ServiceError `tooManyRequests` */
export function openAccount({ actor, tenant, clientAddress, shared }: Payer): CostAccount {
  return shared.costLimiter.open(callerOf(tenant.id, actor, clientAddress ?? ''))
}

export class CallerTime implements TimeAllowance {
  readonly #context: Context
  #leftMs: number
  #account: CostAccount | null = null

  constructor(context: Context) {
    this.#context = context
    const { anonymous, user } = context.shared.costLimiter.operationMs
    this.#leftMs = context.actor === null ? anonymous : user
  }

  /**
   * The account, opened on first use: operations that read by an index cost nothing.
   * @throws ServiceError `tooManyRequests`
   */
  get account(): CostAccount {
    this.#account ??= openAccount(this.#context)
    return this.#account
  }

  /** Reply headers with the caller's remaining budget; none when nothing was spent. */
  headers(): Record<string, string> {
    return this.#account?.headers() ?? {}
  }

  /** @throws ServiceError `tooManyRequests` */
  get leftMs(): number {
    this.#account ??= this.account
    return this.#leftMs
  }

  set leftMs(ms: number) {
    this.account.spendMs(this.#leftMs - ms)
    this.#leftMs = ms
  }
}
