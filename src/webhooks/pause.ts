/** Pauses what somebody owns, when an account turns out to be that of somebody else. */
import type { Context } from '../core/context.ts'
import { inTransaction } from '../core/transaction.ts'
import { pauseRulesOf } from './incoming/rule/pause.ts'
import { pauseSubscriptionsOf } from './subscriptions/pause.ts'

/** Deliveries wait until the owner or an administrator resumes a subscription. @param owner as it is stored */
export function pauseOwned(context: Context, owner: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await pauseSubscriptionsOf(inside, owner)
    await pauseRulesOf(inside, owner)
  })
}
