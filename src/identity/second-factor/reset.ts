/** Helps users who have lost their second factors: an administrator removes them. */
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { refuseHigherUser } from '../role/grant.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { noSuchUser, rolesOf, userEntry } from '../user/account.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import { signedIn } from '../user/signed-in.ts'
import { notify } from './mail.ts'
import { removeFactors } from './removal.ts'

/**
 * Removes all second factors of a user of the context's tenant.
 * @throws ServiceError `notFound` also for a user without a factor; `forbidden` for a user who
 *   may do more, and for an API key
 */
export async function resetSecondFactors(context: Context, userId: string): Promise<void> {
  signedIn(context)
  await requireRecentSignIn(context)
  await inCatalogue(context, async (inside) => {
    const account = await lockActiveAccount(inside, userId)
    if (account === null) throw noSuchUser()
    await refuseHigherUser(inside, { id: account.id, roles: rolesOf(account) })
    const methods = await removeFactors(inside, userId)
    if (methods.length === 0) throw refusal('noSecondFactor')
    await recordAudit(inside, userEntry('factor.reset', account, { methods }))
    await notify(inside, account, 'factorsReset')
  })
}
