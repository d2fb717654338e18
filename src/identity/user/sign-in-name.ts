/** The user names and emails of a tenant share one namespace, so that each identifies one user at sign-in. */
import type { Context } from '../../core/context.ts'
import type { ServiceError } from '../../core/errors.ts'
import { isDuplicate } from '../../database/executor.ts'
import { foldUserName, takenByAnother } from './account.ts'
import type { UserUpdate } from './schema.ts'
import { type Account, deleteSignInName, findBySignInName, insertSignInName, signInNamesOf } from './sql.ts'

type NamedAccount = Pick<Account, 'id' | 'user_name_key' | 'email_key'>

/**
 * Reserves the names of a user for sign-in, inside the transaction that writes the user. Former names become free.
 * @param before the former state of the user; `null` for a new one
 * @throws ServiceError `invalid` for a name that is the user name or the email of another user
 */
export async function claimNames(
  { catalogue }: Context,
  before: NamedAccount | null,
  after: NamedAccount,
): Promise<void> {
  const user = catalogue.ofUser(after.id)
  const owned = new Set(before === null ? [] : await signInNamesOf(user))
  const members = [
    ['userName', 'user_name_key'],
    ['email', 'email_key'],
  ] as const
  for (const [member, column] of members) {
    const key = after[column]
    if (before?.[column] === key || owned.has(key)) continue
    await insertSignInName(user, key).catch((error: unknown) => {
      throw isDuplicate(error, 'sign_in_name') ? takenByAnother(member) : error
    })
    owned.add(key)
  }
  const former = [...owned].filter((key) => key !== after.user_name_key && key !== after.email_key)
  for (const key of former) await deleteSignInName(user, key)
}

/**
 * @param exceptId a user who may have the names
 * @returns the refusal of a name that another user has; `null` if free
 */
export async function findDuplicate(
  { catalogue }: Context,
  { userName, email }: Pick<UserUpdate, 'userName' | 'email'>,
  exceptId?: string,
): Promise<ServiceError | null> {
  for (const [member, name] of Object.entries({ userName, email })) {
    const owner = name === undefined ? null : await findBySignInName(catalogue, foldUserName(name))
    // `Object.entries` returns the names of these two members as `string`.
    if (owner !== null && owner.id !== exceptId) return takenByAnother(member as 'userName' | 'email')
  }
  return null
}
