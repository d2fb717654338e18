/** Checks and hashes a password that is being set. Every operation that sets a password uses this function. */
import type { Context } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import type { PlainFaultCode } from '../../core/fault-codes.ts'
import { foldText } from '../../database/fold-text.ts'
import { originOf } from '../user/credentials.ts'
import { isCommonPassword } from './common-passwords.ts'
import { preparePassword } from './prepared.ts'

export interface NewPassword {
  password: string
  /** The member of the request, for the error. */
  member?: string
  /** What a guesser knows of the user: names and addresses. */
  words: readonly string[]
}

/**
 * Calls the service of breached passwords, if there is one: not for use in a transaction.
 * @throws ServiceError `invalid` for a password that is common, breached, or a name of the user or the tenant;
 *   `overloaded`
 */
export async function hashNewPassword(
  context: Context,
  { password: typed, member = 'password', words }: NewPassword,
): Promise<string> {
  const password = preparePassword(typed)
  const { id, name } = context.tenant
  const fault = faultOf(password, [...words, id, name])
  if (fault !== null) throw invalidField(member, ...fault)
  if (await context.shared.breachedPasswords.includes(password))
    throw invalidField(member, 'is in a list of breached passwords', 'commonPassword')
  return context.shared.passwords.hash(password, originOf(context))
}

/**
 * Guessers try common passwords with the characters that rules require, such as `Password1!` for
 * `password1`. The comparison therefore ignores case, and other characters than letters and digits at both
 * ends (NIST SP 800-63B, section 5.1.1.2).
 */
function faultOf(password: string, words: readonly string[]): [reason: string, code: PlainFaultCode] | null {
  const caseFolded = foldText(password)
  const bare = withoutDecoration(caseFolded)
  const names = words.flatMap((word) => [word, word.split('@')[0] ?? ''])
  if (bare !== '' && names.some((name) => withoutDecoration(foldText(name)) === bare))
    return ['must not be a name of the user or the tenant', 'nameAsPassword']
  const isCommon = isCommonPassword(caseFolded) || isCommonPassword(bare)
  return isCommon ? ['is one of the most common passwords', 'commonPassword'] : null
}

function withoutDecoration(caseFolded: string): string {
  return caseFolded.replace(/^[^\p{L}\d]+/u, '').replace(/[^\p{L}\d]+$/u, '')
}
