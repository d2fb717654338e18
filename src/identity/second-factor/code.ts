/** Checks codes of second factors, and makes callers wait after several wrong codes. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { type Account, userEntry } from '../user/account.ts'
import { notify } from './mail.ts'
import { useRecoveryCode } from './recovery-code.ts'
import type { CodeMethod, GivenCode } from './schema.ts'
import { deleteWrongCodes, findTotp, findWrongCodes, takeStep, upsertWrongCodes } from './sql.ts'
import { fromBase32, matchingStep, plainCode } from './totp.ts'

/** The purpose of the encrypted secret of an authenticator app. */
export const totpPurpose = 'totp'

/** The number of wrong codes without a wait, because users mistype. */
const freeFailures = 5
const firstWaitSeconds = 30
/** An hour: 10 000 guesses take more than 250 days, even if the user signs in daily, which resets the count. */
const maxWaitSeconds = 60 * 60
/** Wrong codes count until none was given for this time. */
const memoryMs = 24 * 60 * 60 * 1000

/**
 * To be called before a code is checked, inside a transaction in which the user is locked. Wrong codes are counted
 * in the database for the user, so that another token, another address or a restart gives no further guesses.
 * @throws ServiceError `tooManyRequests` after several wrong codes
 */
export async function refuseGuessing(inside: Context, { id }: Account): Promise<void> {
  const wrong = await findWrongCodes(inside.catalogue.ofUser(id))
  if (wrong === null || wrong.count < freeFailures) return
  const waitSeconds = Math.min(firstWaitSeconds * 2 ** (wrong.count - freeFailures), maxWaitSeconds)
  const leftMs = Date.parse(wrong.last_at) + waitSeconds * 1000 - inside.shared.clock().getTime()
  if (leftMs <= 0) return
  const retryAfterSeconds = Math.ceil(leftMs / 1000)
  throw refusal('tooManyWrongCodes', {}, { retryAfterSeconds })
}

/**
 * Uses a code, which works once, inside a transaction in which the user is locked, after `refuseGuessing`. The
 * transaction has to commit also for a wrong code, which it counts.
 * @returns the kind of code; `null` for a wrong code
 */
export async function useCode(
  inside: Context,
  account: Account,
  { code, method }: GivenCode,
): Promise<CodeMethod | null> {
  const text = plainCode(code)
  const isTotp = /^\d{6}$/.test(text)
  const given: CodeMethod = isTotp ? 'totp' : 'recovery'
  const isExpectedKind = method === undefined || method === given
  const use = isTotp ? useTotp : useRecoveryCode
  if (!isExpectedKind || !(await use(inside, account, text))) {
    await countWrongCode(inside, account)
    return null
  }
  await deleteWrongCodes(inside.catalogue.ofUser(account.id))
  if (!isTotp) {
    await record(inside, 'recoveryCode.used', account)
    await notify(inside, account, 'codeUsed')
  }
  return given
}

/** Records a change of second factors. The actor is the user itself, which a context lacks before the sign-in is done. */
export function record(
  inside: Context,
  action: 'factor.refused' | 'factor.added' | 'factor.removed' | 'recoveryCode.used' | 'recoveryCode.renewed',
  account: Account,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const actor = { id: account.id, userName: account.user_name }
  return recordAudit(inside, { ...userEntry(action, account, detail), actor })
}

async function useTotp(inside: Context, { id }: Account, code: string): Promise<boolean> {
  const { catalogue, shared } = inside
  const user = catalogue.ofUser(id)
  const row = await findTotp(user, 'active')
  if (row === null) return false
  const secret = fromBase32(shared.secretBox.decrypt(row.secret, totpPurpose))
  const step = matchingStep(secret, code, shared.clock())
  return step !== null && (await takeStep(user, step))
}

async function countWrongCode(inside: Context, account: Account): Promise<void> {
  const user = inside.catalogue.ofUser(account.id)
  const before = await findWrongCodes(user)
  const forgottenBefore = inside.shared.clock().getTime() - memoryMs
  const isForgotten = before === null || Date.parse(before.last_at) < forgottenBefore
  const count = isForgotten ? 1 : before.count + 1
  await upsertWrongCodes(user, { count, last_at: now(inside) })
  await record(inside, 'factor.refused', account)
  if (count === freeFailures) await notify(inside, account, 'wrongCodes')
}
