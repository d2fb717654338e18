import { sessionOf } from '../../core/actor.ts'
import { type AuditEntry, recordAudit } from '../../core/audit/audit.ts'
import type { Actor, Context } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { invalidField, type ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { withdrawTokens } from '../one-time-token/one-time-token.ts'
import { hashNewPassword } from '../password/new-password.ts'
import type { SignInBackoff } from '../session/backoff.ts'
import { revokeSessionsOf } from '../session/revocation.ts'
import { userEntry } from './account.ts'
import { checkOwnPassword, lockUnchanged, storePasswordHash } from './credentials.ts'
import { noticePassword } from './notice.ts'
import type { PasswordChange } from './schema.ts'
import { signedIn } from './signed-in.ts'

/**
 * Changes the actor's own password and ends the actor's other sessions.
 * @param backoff limits guessing of the password with a stolen token
 * @throws ServiceError `invalid` when the current password is wrong, `tooManyRequests` after several failures,
 *   `overloaded`
 */
export async function changeOwnPassword(
  context: Context,
  backoff: SignInBackoff,
  input: PasswordChange,
): Promise<void> {
  const actor = signedIn(context)
  const account = await checkOwnPassword(context, backoff, input.currentPassword)
  if (account === null) {
    await inCatalogue(context, (inside) => recordAudit(inside, refusedEntry(actor)))
    throw wrongPassword()
  }
  const words = [account.user_name, account.email]
  const hash = await hashNewPassword(context, { password: input.newPassword, member: 'newPassword', words })
  await inCatalogue(atHome(context), async (inside) => {
    const user = await lockUnchanged(inside, account)
    if (user === null) throw wrongPassword()
    await storePasswordHash(inside, user, hash)
    await revokeSessionsOf(inside, account.id, sessionOf(actor))
    await withdrawTokens(inside, account.id)
    const payload = { userId: user.id, userName: user.user_name }
    await publish(inside, 'user.updated', payload, user.tenant_id)
    await recordAudit(inside, userEntry('user.passwordChanged', account, {}))
    await noticePassword(inside, user, 'user')
  })
}

function refusedEntry({ id, tenantId }: Actor): AuditEntry {
  return { action: 'user.passwordRefused', tenantId, subjectType: 'user', subjectId: id }
}

function wrongPassword(): ServiceError {
  return invalidField('currentPassword', 'is wrong', 'wrong')
}
