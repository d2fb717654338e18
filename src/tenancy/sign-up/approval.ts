/** Administrators of the host tenant approve or reject sign-ups whose address is verified. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId, now, type Tenant } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { expiryJob } from '../../core/expiry.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { AccountPages } from '../../identity/account-link.ts'
import { requireRecentSignIn } from '../../identity/session/recent-sign-in.ts'
import { sendMail } from '../../mail/send.ts'
import { provision } from '../tenant.ts'
import { completeSignUp, signUpEntry, signUps } from './completion.ts'
import { requireHost } from './reach.ts'
import type { SignUpRejection } from './schema.ts'
import { expiringSignUps, type SignUpRow, takeWaitingSignUp } from './sql.ts'

/**
 * @throws ServiceError `forbidden` outside of the host and without a recent sign-in, `notFound`, `invalid` for a
 *   subdomain that was taken meanwhile
 */
export async function approveSignUp(context: Context, pages: AccountPages, id: string): Promise<Tenant> {
  requireHost(context)
  await requireRecentSignIn(context) // the approval creates an administrator, with the rights of the operator
  const tenant = await inCatalogue(context, async (inside) =>
    completeSignUp(inside, await takeWaiting(inside, id), { action: 'signUp.approved', pages }),
  )
  provision(context, tenant)
  return tenant
}

/** Sends the applicant a mail. @throws ServiceError `forbidden` outside of the host, `notFound` */
export async function rejectSignUp(
  context: Context,
  id: string,
  { reason = null }: { reason?: SignUpRejection['reason'] | null },
): Promise<void> {
  requireHost(context)
  await inCatalogue(context, async (inside) => {
    const row = await takeWaiting(inside, id)
    const { tenant_name: tenantName } = row
    await publish(inside, 'signUp.rejected', { signUpId: id, tenantName }, hostTenantId)
    await recordAudit(inside, signUpEntry('signUp.rejected', row, { reason }))
    await sendMail(inside, 'account.signUpRejected', { to: row.email, values: { tenantName, reason } })
  })
}

export const removeExpiredSignUps = expiryJob({
  what: 'sign-ups',
  rows: expiringSignUps,
})

/** Deletes the sign-up and returns it: only one of several simultaneous decisions gets it. */
async function takeWaiting(inside: Context, id: string): Promise<SignUpRow> {
  const row = await takeWaitingSignUp(signUps(inside), id, now(inside))
  if (row === null) throw refusal('noSuch', { label: 'sign-up' })
  return row
}
