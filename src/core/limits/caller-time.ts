/** The time in the database that a caller has for one operation. It is paid for as it is spent. */

import type { TimeAllowance } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import { clientNetwork } from '../network.ts'
import type { CostAccount } from './cost-limiter.ts'

const anonymousMs = 100
const defaultMs = 2000

/** Who pays. */
export type Payer = Pick<Context, 'actor' | 'tenant' | 'clientAddress' | 'shared'>

/** @throws ServiceError `tooManyRequests` */
export function openAccount({ actor, tenant, clientAddress, shared }: Payer): CostAccount {
  return shared.costLimiter.open({
    tenantId: tenant.id,
    userId: actor?.id ?? null,
    address: clientNetwork(clientAddress ?? ''),
  })
}

export class CallerTime implements TimeAllowance {
  readonly #context: Context
  #leftMs: number
  #account: CostAccount | null = null

  constructor(context: Context) {
    this.#context = context
    this.#leftMs = context.actor === null ? anonymousMs : defaultMs
  }

  /** Opened when it is first needed: what is quick costs nothing. @throws ServiceError `tooManyRequests` */
  get account(): CostAccount {
    this.#account ??= openAccount(this.#context)
    return this.#account
  }

  /** Reply headers that tell what the caller has left; none when nothing was spent. */
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
