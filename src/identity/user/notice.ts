/** Tells users by mail of changes to their password, user name or address, because somebody else may have made them. */

import type { Context } from '../../core/context.ts'
import { forTenant, transactionContext } from '../../core/create-context.ts'
import { mailedUserName } from '../../core/display-name.ts'
import { currentTenant } from '../../core/tenant/directory.ts'
import { sendNotice } from '../../mail/send.ts'
import type { Account } from './account.ts'
import type { PasswordChangeMeans } from './mail.ts'

/** Tells the user of a new password, inside the transaction of the change. */
export async function noticePassword(
  inside: Context,
  { email, user_name }: Account,
  by: PasswordChangeMeans,
): Promise<void> {
  const values = { userName: mailedUserName(user_name, email), by }
  await sendNotice(inside, 'account.passwordChanged', { to: email, values })
}

/** Tells the user of a new user name or address, at the former address, inside the transaction of the change. */
export async function noticeNames(inside: Context, before: Account, after: Account): Promise<void> {
  if (before.user_name === after.user_name && before.email === after.email) return
  const values = {
    userName: mailedUserName(after.user_name, before.email),
    formerUserName: mailedUserName(before.user_name, before.email),
    email: after.email,
    formerEmail: before.email,
  }
  await sendNotice(inside, 'account.namesChanged', { to: before.email, values })
}

/** Tells the user of a change by an administrator, inside its transaction. */
export async function noticeUpdate(inside: Context, before: Account, after: Account): Promise<void> {
  const inTenant = await insideTenant(inside, before.tenant_id)
  if (before.password_hash !== after.password_hash) await noticePassword(inTenant, before, 'administrator')
  await noticeNames(inTenant, before, after)
}

/**
 * @returns a context for the tenant of the user, whose brand the mail has: an
 *   administrator of the host changes others
 */
async function insideTenant(inside: Context, tenantId: string): Promise<Context> {
  const { tenant, transaction, transactionDatabase } = inside
  if (tenant.id === tenantId || transaction === null || transactionDatabase === null) return inside
  const other = await currentTenant(inside, tenantId)
  return other === null
    ? inside
    : transactionContext(forTenant(inside, other), transactionDatabase, transaction)
}
