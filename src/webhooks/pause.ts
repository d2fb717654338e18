/** Pauses the subscriptions and rules of an owner, when an account turns out to belong to somebody else. */
import type { Context } from '../core/context.ts'
import { inTransaction } from '../core/transaction.ts'
import { pauseRulesOf } from './incoming/rule/pause.ts'
import { pauseSubscriptionsOf } from './subscriptions/pause.ts'

/**
 * Deliveries to a paused subscription wait until the owner or an administrator resumes it.
 * @param owner as it is stored: `user:` or `apiKey:` with an id
 */
export function pauseOwned(context: Context, owner: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await pauseSubscriptionsOf(inside, owner)
    await pauseRulesOf(inside, owner)
  })
}
