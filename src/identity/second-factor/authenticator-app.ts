/** Adds an authenticator app: the service generates a secret, and the user confirms it with a code of the app. */
import { randomBytes } from 'node:crypto'
import { type Context, now } from '../../core/context.ts'
import { invalidField, type ServiceError } from '../../core/errors.ts'
import { qrPicture } from '../../core/qr-code.ts'
import type { Account } from '../user/account.ts'
import { record, totpPurpose } from './code.ts'
import { notify } from './mail.ts'
import { renewRecoveryCodes } from './recovery-code.ts'
import type { TotpSecret } from './schema.ts'
import { activateTotp, deleteTotp, findTotp, insertTotp } from './sql.ts'
import { fromBase32, matchingStep, otpauthUrl, plainCode, toBase32 } from './totp.ts'

/** The length of a SHA-1, as RFC 4226 recommends (section 4). */
export const secretBytes = 20
/** How long a generated secret can be confirmed. */
const begunValidMs = 30 * 60_000

/** Generates and stores a secret, inside a transaction in which the user is locked. */
export async function begin(inside: Context, account: Account): Promise<TotpSecret> {
  const { catalogue, shared, tenant } = inside
  const user = catalogue.ofUser(account.id)
  const secret = toBase32(randomBytes(secretBytes))
  await deleteTotp(user, 'begun')
  await insertTotp(user, {
    state: 'begun',
    secret: shared.secretBox.encrypt(secret, totpPurpose),
    last_step: 0,
    created_at: now(inside),
  })
  const url = otpauthUrl(secret, { issuer: tenant.name, account: account.user_name })
  return { secret, url, qrCode: qrPicture(url) }
}

/**
 * Replaces the active secret by the generated one, inside a transaction in which the user is
 * locked. The code does not work again.
 * @returns ten recovery codes; `null` for a wrong code, and without a secret that was generated lately
 */
export async function activate(inside: Context, account: Account, code: string): Promise<string[] | null> {
  const { catalogue, shared } = inside
  const user = catalogue.ofUser(account.id)
  const begun = await findTotp(user, 'begun')
  const moment = shared.clock()
  if (begun === null || Date.parse(begun.created_at) + begunValidMs < moment.getTime()) return null
  const digits = plainCode(code)
  if (!/^\d{6}$/.test(digits)) return null
  const secret = fromBase32(shared.secretBox.decrypt(begun.secret, totpPurpose))
  const step = matchingStep(secret, digits, moment)
  if (step === null) return null
  await deleteTotp(user, 'active')
  await activateTotp(user, { last_step: step, created_at: now(inside) })
  await record(inside, 'factor.added', account, { method: 'totp' })
  await notify(inside, account, 'totpAdded')
  return renewRecoveryCodes(inside, account)
}

/** The fault of the input when an app is added. A wrong code of a sign-in is a wrong credential instead. */
export function wrongCodeOfNewApp(): ServiceError {
  return invalidField('code', 'is wrong, or the secret has expired', 'wrong')
}
