/** Sign-up of tenants by strangers. Until the address is verified, only a row of the sign-up exists. */

import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId, now, type Tenant } from '../../core/context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { newId } from '../../core/id.ts'
import type { SignUpMode } from '../../core/settings/sign-up-settings.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { type AccountPages, accountLink } from '../../identity/account-link.ts'
import { requireReturn } from '../../identity/code-exchange/code-exchange.ts'
import {
  countGuess,
  invalidToken,
  issueToken,
  peekToken,
  redeemToken,
  tokenPurpose,
} from '../../identity/one-time-token/one-time-token.ts'
import { recordRefusal } from '../../identity/one-time-token/refusal.ts'
import { originOf } from '../../identity/user/credentials.ts'
import { hashPasswordOf } from '../../identity/user/user.ts'
import { sendLimitedMail } from '../../mail/send.ts'
import { refuseReserved } from '../reserved-subdomain.ts'
import { provision } from '../tenant.ts'
import { completeSignUp, refuseTaken, signUpEntry, signUps } from './completion.ts'
import type { SignUpInput, SignUpResult, SignUpVerification } from './schema.ts'
import { findSignUp, insertSignUp, type SignUpRow, updateSignUp } from './sql.ts'

export interface SignUpParts {
  mode: SignUpMode
  pages: AccountPages
  /** Subdomains that only administrators of the host tenant assign, besides the built-in ones. */
  reserved: readonly string[]
}

const dayMs = 24 * 60 * 60_000
const purpose = tokenPurpose<{ signUpId: string }>('sign-up', dayMs)
/** How long a verified sign-up waits for a decision. */
const approvalDays = 30
/**
 * Enough for mistakes: who has the link reads the mails of the address, and cannot
 * guess a password in so few attempts.
 */
const maxWrongPasswords = 10

/**
 * Sends a link to the address, also if it belongs to users: one address may have users of any number of tenants.
 * @throws ServiceError `forbidden` while sign-up is off, `notFound` for another tenant than the host,
 *   `invalid` for a subdomain that is taken or reserved, for an address that no mail can be sent to and
 *   for a weak password, `overloaded`
 */
export async function requestSignUp(
  context: Context,
  { mode, pages, reserved }: SignUpParts,
  { tenantName, returnTo, ...input }: SignUpInput,
): Promise<void> {
  requireSignUp(context, mode)
  if (!context.shared.mails.isConfigured) throw refusal('noMailToSignUp')
  requireReturn(pages, returnTo)
  const subdomain = input.subdomain?.toLowerCase() ?? null
  refuseReserved(subdomain, reserved)
  await refuseTaken(context, subdomain)
  const words = subdomain === null ? [tenantName] : [tenantName, subdomain]
  const { passwordHash } = await hashPasswordOf(context, input, { words })
  await inCatalogue(context, async (inside) => {
    const id = newId()
    const { token, expiresAt } = await issueToken(inside, purpose, {
      accountId: null,
      data: { signUpId: id },
    })
    const target = { tenantId: hostTenantId, token, returnTo }
    const values = { url: accountLink(pages, 'verify-sign-up', target) }
    const mail = { to: input.email, values, expiresAt }
    const isMailed = (await sendLimitedMail(inside, 'account.signUp', mail)) !== null
    const row: SignUpRow = {
      id,
      subdomain,
      tenant_name: tenantName,
      user_name: input.userName,
      email: input.email,
      password_hash: passwordHash,
      first_name: input.firstName,
      last_name: input.lastName,
      created_at: now(inside),
      verified_at: null,
      expires_at: expiresAt.toISOString(),
    }
    // A limit may have prevented the mail: the reply is the same, so that it says nothing about the address.
    if (isMailed) await insertSignUp(signUps(inside), row)
    else await redeemToken(inside, purpose, token)
    await recordAudit(inside, signUpEntry('signUp.requested', row, { isMailed }))
  })
}

/** Whether a sign-up can be completed with the token. */
export async function isSignUpToken(context: Context, token: string): Promise<boolean> {
  return (await peekToken(context, purpose, token)) !== null
}

/**
 * Creates the tenant and its first administrator, or asks for approval. The link requires the password of the sign-up:
 * if a stranger has signed up with the address of somebody else, a click of that person completes nothing.
 * @throws ServiceError `forbidden` while sign-up is off; `invalid` for a token that is unknown, used or expired, for a
 *   wrong password, and for a subdomain that was taken meanwhile; `overloaded`
 */
export async function verifySignUp(
  context: Context,
  { mode, pages }: SignUpParts,
  { token, password }: SignUpVerification,
): Promise<SignUpResult> {
  requireSignUp(context, mode)
  const known = await peekToken(context, purpose, token)
  const row = known === null ? null : await findSignUp(signUps(context), known.data.signUpId)
  if (row === null) {
    await recordRefusal(context, purpose)
    throw invalidToken()
  }
  if ((await context.shared.passwords.verify(password, row.password_hash, originOf(context))) === null) {
    await refuse(context, row, token)
    throw invalidField('password', 'is wrong', 'wrong')
  }
  await refuseTaken(context, row.subdomain)
  const tenant = await inCatalogue(context, async (inside): Promise<Tenant | 'waiting' | null> => {
    if ((await redeemToken(inside, purpose, token)) === null) return null
    const payload = { signUpId: row.id, tenantName: row.tenant_name }
    await publish(inside, 'signUp.verified', payload, hostTenantId)
    if (mode === 'open') return completeSignUp(inside, row, { action: 'signUp.completed', pages })
    const expiresAt = new Date(inside.shared.clock().getTime() + approvalDays * dayMs).toISOString()
    await updateSignUp(signUps(inside), row.id, { verified_at: now(inside), expires_at: expiresAt })
    await recordAudit(inside, signUpEntry('signUp.verified', row, {}))
    return 'waiting'
  })
  if (tenant === null) throw invalidToken()
  const { user_name: userName } = row
  if (tenant === 'waiting') return { status: 'WAITING', tenantId: null, userName, signInUrl: null }
  provision(context, tenant)
  return { status: 'COMPLETED', tenantId: tenant.id, userName, signInUrl: pages.signInUrl(tenant) }
}

/** @throws ServiceError `forbidden` while sign-up is off, `notFound` for another tenant than the host */
export function requireSignUp({ tenant }: Context, mode: SignUpMode): void {
  if (tenant.id !== hostTenantId) throw refusal('signUpByHost')
  if (mode === 'off') throw refusal('signUpOff')
}

/** After several wrong passwords the token is no longer valid. */
async function refuse(context: Context, row: SignUpRow, token: string): Promise<void> {
  await inCatalogue(context, async (inside) => {
    await countGuess(inside, purpose, { token, allowed: maxWrongPasswords })
    await recordAudit(inside, signUpEntry('signUp.refused', row, {}))
  })
}
