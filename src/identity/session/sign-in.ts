/** Signs users in by password. */
import { hash } from 'node:crypto'
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { refusal, ServiceError } from '../../core/errors.ts'
import { clientNetwork } from '../../core/network.ts'
import type { PasswordMatch } from '../../core/passwords.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { Challenge, challengeFor } from '../second-factor/challenge.ts'
import { needsSecondFactor } from '../second-factor/requirement.ts'
import { mustUseProvider } from '../single-sign-on/configuration.ts'
import { type Account, foldUserName } from '../user/account.ts'
import {
  type Credentials,
  checkPassword,
  findAccountByLogin,
  lockUnchanged,
  originOf,
  renewHash,
} from '../user/credentials.ts'
import type { SignInBackoff } from './backoff.ts'
import type { SignIn } from './schema.ts'
import { issueTokens, type SessionParts, sessionEntry, startSession } from './session.ts'
import { hasSignedInFrom } from './sql.ts'

/** @throws ServiceError as `signInWith` */
export async function logIn(
  context: Context,
  parts: SessionParts,
  credentials: Credentials,
): Promise<SignIn> {
  const started = await signInWith(context, parts.backoff, credentials, (inside, user) =>
    startSession(inside, user, ['pwd']),
  )
  return issueTokens(parts.tokens, started)
}

/**
 * Checks a password and completes the sign-in. A wrong password, an unknown or deactivated user and a deactivated
 * tenant get the same answer, in equal time.
 * @param complete runs in a transaction in which the user is locked
 * @throws ServiceError `secondFactorRequired`, `badCredentials`, `tooManyRequests` after
 *   several failures, or `overloaded`
 */
export async function signInWith<T extends object | string>(
  context: Context,
  backoff: SignInBackoff,
  credentials: Credentials,
  complete: (inside: Context, user: Account) => Promise<T>,
): Promise<T> {
  const account = await findAccountByLogin(context, credentials.userName)
  const match = await verifyCredentials(context, backoff, account, credentials)
  if (account === null || match === null || !context.tenant.isActive) {
    await recordRefusal(context, account)
    throw new ServiceError('badCredentials')
  }
  if (await mustUseProvider(context, account.id)) {
    await recordRefusal(context, account)
    throw refusal('providerSignInRequired')
  }
  const isFactorRequired = await needsSecondFactor(context)
  const started = await inCatalogue(context, async (inside) => {
    const user = await lockUnchanged(inside, account)
    if (user === null) return null
    return (await challengeFor(inside, user, isFactorRequired)) ?? complete(inside, user)
  })
  // The user changed while its password was checked: check again.
  if (started === null) return signInWith(context, backoff, credentials, complete)
  renewHash(context, account, credentials.password, match)
  if (started instanceof Challenge) throw started.toError()
  return started
}

/**
 * Counts attempts by the name as it was typed. With a count by account, a user name and an email that belong together
 * would share a wait, which would reveal that they do.
 */
async function verifyCredentials(
  context: Context,
  backoff: SignInBackoff,
  account: Account | null,
  { userName, password }: Credentials,
): Promise<PasswordMatch | null> {
  const network = clientNetwork(context.clientAddress ?? '')
  const isKnown = account !== null && (await hasSignedInFrom(context.catalogue.ofUser(account.id), network))
  const name = hash('sha256', foldUserName(userName))
  const keyIn = (where: string): string => `${context.tenant.id}:${where}:${name}`
  const keys = { network: keyIn(network), newNetworks: isKnown ? null : keyIn('*') }
  const origin = originOf(context, isKnown)
  return backoff.attempt(keys, () => checkPassword(context, account, password, origin))
}

function recordRefusal(context: Context, account: Account | null): Promise<void> {
  return inCatalogue(context, (inside) =>
    recordAudit(inside, sessionEntry('session.refused', inside.tenant.id, account, null)),
  )
}
