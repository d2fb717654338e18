/**
 * Removes the credentials of an account when the provider proves its address for the first time, or makes its user an
 * administrator: somebody else may have created the account, or set its password, while it had few rights.
 */

import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { mailedUserName } from '../../core/display-name.ts'
import { publish } from '../../core/events/publish.ts'
import { sendNotice } from '../../mail/send.ts'
import { revokeKeysOf } from '../api-key/acting.ts'
import { withdrawTokens } from '../one-time-token/one-time-token.ts'
import { removeFactors } from '../second-factor/removal.ts'
import { revokeSessionsOf } from '../session/revocation.ts'
import { type Account, userEntry } from '../user/account.ts'
import { storePasswordHash } from '../user/credentials.ts'

/**
 * Removes password, second factors, sessions, API keys that act for the user and links of mails, inside a
 * transaction that has locked the user. A mail informs the user.
 * @param provesEmail whether the provider has proven the address of the account, which then counts as verified
 */
export async function removeFormerCredentials(
  inside: Context,
  account: Account,
  { provesEmail }: { provesEmail: boolean },
): Promise<void> {
  const { id, email, tenant_id: tenantId, user_name: userName } = account
  const methods = ['password', ...(await removeFactors(inside, id))]
  await storePasswordHash(inside, account, inside.shared.passwords.unusable(), { provesEmail })
  await revokeSessionsOf(inside, id)
  await revokeKeysOf(inside, id)
  await withdrawTokens(inside, id)
  await publish(inside, 'user.updated', { userId: id, userName }, tenantId)
  await recordAudit(inside, userEntry('sso.credentialsRemoved', account, { methods }))
  const values = { userName: mailedUserName(userName, email) }
  await sendNotice(inside, 'account.credentialsRemoved', { to: email, values })
}
