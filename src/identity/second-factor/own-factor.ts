/** Operations of users on their own second factors. */
import type { Context } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { refusal, ServiceError, unauthorized } from '../../core/errors.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { countPasskeys } from '../passkey/registered.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import type { Account } from '../user/account.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import { signedIn } from '../user/signed-in.ts'
import { activate, begin, wrongCodeOfNewApp } from './authenticator-app.ts'
import { record } from './code.ts'
import { factorsOf, refuseWithoutFactor, removeUselessCodes } from './factor.ts'
import { notify } from './mail.ts'
import { renewRecoveryCodes } from './recovery-code.ts'
import { needsSecondFactor } from './requirement.ts'
import type { SecondFactors, TotpSecret } from './schema.ts'
import { countRecoveryCodes, deleteTotp, findTotp } from './sql.ts'

/** Reads the second factors of the actor. */
export async function getSecondFactors(context: Context): Promise<SecondFactors> {
  const { id } = signedIn(context)
  const user = atHome(context).catalogue.ofUser(id)
  const totp = await findTotp(user, 'active')
  return {
    isRequired: await needsSecondFactor(context),
    totpAddedAt: totp?.created_at ?? null,
    recoveryCodesLeft: await countRecoveryCodes(user),
    passkeys: await countPasskeys(user),
  }
}

/**
 * Begins to add an app. An earlier unconfirmed secret is replaced; the active one
 * stays until the new one is confirmed.
 */
export function beginTotp(context: Context): Promise<TotpSecret> {
  return changeOwnFactors(context, begin)
}

/** @returns ten recovery codes, which replace earlier ones @throws ServiceError `invalid` for a wrong code */
export function confirmTotp(context: Context, code: string): Promise<string[]> {
  return changeOwnFactors(context, async (inside, account) => {
    const codes = await activate(inside, account, code)
    if (codes === null) throw wrongCodeOfNewApp()
    return codes
  })
}

/** @throws ServiceError `notFound` without an app, `invalid` for the last factor if the tenant requires one */
export async function removeTotp(context: Context): Promise<void> {
  const isRequired = await needsSecondFactor(context)
  await changeOwnFactors(context, async (inside, account) => {
    const user = inside.catalogue.ofUser(account.id)
    if ((await findTotp(user, 'active')) === null) throw refusal('noAuthenticator')
    await deleteTotp(user)
    if (isRequired) await refuseWithoutFactor(inside, account.id)
    await removeUselessCodes(inside, account.id)
    await record(inside, 'factor.removed', account, { method: 'totp' })
    await notify(inside, account, 'totpRemoved')
  })
}

/**
 * Replaces the recovery codes: earlier ones no longer work.
 * @throws ServiceError `invalid` for a user without a second factor
 */
export function makeRecoveryCodes(context: Context): Promise<string[]> {
  return changeOwnFactors(context, async (inside, account) => {
    if ((await factorsOf(inside, account.id)).length === 0) throw refusal('recoveryCodesNeedFactor')
    const codes = await renewRecoveryCodes(inside, account)
    await record(inside, 'recoveryCode.renewed', account)
    await notify(inside, account, 'codesRenewed')
    return codes
  })
}

/**
 * Runs work in a transaction in which the user is locked. Requires a recent sign-in of the user, not of an API key.
 * @throws ServiceError `forbidden`; `wrongTenant` for an administrator of the host in another tenant
 */
export async function changeOwnFactors<T>(
  context: Context,
  work: (inside: Context, account: Account) => Promise<T>,
): Promise<T> {
  const { id, tenantId } = signedIn(context)
  if (tenantId !== context.tenant.id) throw new ServiceError('wrongTenant')
  await requireRecentSignIn(context)
  return inCatalogue(context, async (inside) => {
    const account = await lockActiveAccount(inside, id)
    if (account === null) throw unauthorized('sessionEnded')
    return work(inside, account)
  })
}
