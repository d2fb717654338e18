/** The user names and emails of a tenant share one namespace, so that each identifies one user at sign-in. */
import type { Context } from '../../core/context.ts'
import type { ServiceError } from '../../core/errors.ts'
import { isDuplicate } from '../../database/executor.ts'
import { foldUserName, takenByAnother } from './account.ts'
import type { UserUpdate } from './schema.ts'
import { type Account, deleteSignInNames, findBySignInName, insertSignInName, signInNamesOf } from './sql.ts'

type NamedAccount = Pick<Account, 'id' | 'tenant_id' | 'user_name_key' | 'email_key'>

/**
 * Inside the transaction that writes the user. Former names are released.
 * @param before the former state of the user; `null` for a new one
 * @throws ServiceError `invalid` for a name that is the user name or the email of another user
 */
export async function claimNames(
  { installation: catalogue }: Context,
  before: NamedAccount | null,
  after: NamedAccount,
): Promise<void> {
  const owned = new Set(before === null ? [] : await signInNamesOf(catalogue, before.id))
  const members = [
    ['userName', 'user_name_key'],
    ['email', 'email_key'],
  ] as const
  for (const [member, column] of members) {
    const key = after[column]
    if (before?.[column] === key || owned.has(key)) continue
    await insertSignInName(catalogue, {
      tenant_id: after.tenant_id,
      name_key: key,
      account_id: after.id,
    }).catch((error: unknown) => {
      throw isDuplicate(error, 'sign_in_name') ? takenByAnother(member) : error
    })
    owned.add(key)
  }
  const former = [...owned].filter((key) => key !== after.user_name_key && key !== after.email_key)
  if (former.length > 0) await deleteSignInNames(catalogue, after.tenant_id, former)
}

/** @param exceptId a user who may have the names @returns that one is the user name or the email of another user */
export async function findDuplicate(
  { installation: catalogue }: Context,
  tenantId: string,
  { userName, email }: Pick<UserUpdate, 'userName' | 'email'>,
  exceptId?: string,
): Promise<ServiceError | null> {
  for (const [member, name] of Object.entries({ userName, email })) {
    const owner = name === undefined ? null : await findBySignInName(catalogue, tenantId, foldUserName(name))
    // The entries have these two names.
    if (owner !== null && owner.id !== exceptId) return takenByAnother(member as 'userName' | 'email')
  }
  return null
}
