/** Converts between the stored account and the user that callers see. */

import type { DeclaredAttributes } from '../../core/attributes.ts'
import type { AuditAction } from '../../core/audit/action.ts'
import type { AuditEntry } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { invalidField, refusal, type ServiceError } from '../../core/errors.ts'
import { foldAddress } from '../../core/mail-address.ts'
import { isDuplicate } from '../../database/executor.ts'
import type { User, UserUpdate } from './schema.ts'
import type { Account, AccountChange } from './sql.ts'

export type { Account }

/**
 * The key by which user names and emails are unique within a tenant: both together, without regard to case, to
 * surrounding blanks, and to the spelling of a domain.
 */
export function foldUserName(name: string): string {
  return foldAddress(name.trim())
}

export function toUser(account: Account, declared: DeclaredAttributes): User {
  return {
    id: account.id,
    userName: account.user_name,
    email: account.email,
    firstName: account.first_name,
    lastName: account.last_name,
    phoneNumber: account.phone_number,
    roles: rolesOf(account),
    attributes: declared.stored(account.attributes),
    isActive: account.is_active,
    tenantId: account.tenant_id,
    createdAt: account.created_at,
  }
}

export function toUsers({ shared }: Context, accounts: readonly Account[]): User[] {
  return accounts.map((account) => toUser(account, shared.attributes))
}

export function rolesOf(account: Account): string[] {
  return account.roles.split(' ')
}

export function isActiveAdmin(account: Account): boolean {
  return account.is_active && rolesOf(account).includes('Admin')
}

/** The columns that an update changes, except the password and the roles. */
export function changedColumns(input: UserUpdate): AccountChange {
  return {
    ...(input.userName !== undefined && {
      user_name: input.userName,
      user_name_key: foldUserName(input.userName),
    }),
    ...(input.email !== undefined && { email: input.email, email_key: foldUserName(input.email) }),
    ...defined({
      first_name: input.firstName,
      last_name: input.lastName,
      phone_number: input.phoneNumber,
      is_active: input.isActive,
    }),
  }
}

/** @returns the column for a changed address, which has to be verified again */
export function verificationOf(
  { email }: Account,
  input: UserUpdate,
  verifiedAt: string | null,
): AccountChange {
  return input.email === undefined || input.email === email ? {} : { email_verified_at: verifiedAt }
}

/** Whether the update changes how the user signs in, or what the user may do. */
export function changesSignIn({ userName, email, password, roles }: UserUpdate): boolean {
  return [userName, email, password, roles].some((value) => value !== undefined)
}

/** Whether a name, the password, the roles or the activity of the user have changed. */
export function changesAccess(before: Account, after: Account): boolean {
  const columns = ['user_name', 'email', 'password_hash', 'roles', 'is_active'] as const
  return columns.some((column) => before[column] !== after[column])
}

export function userEntry(
  action: AuditAction,
  account: Account,
  detail: Record<string, unknown>,
): AuditEntry {
  return { action, tenantId: account.tenant_id, subjectType: 'user', subjectId: account.id, detail }
}

/** @throws ServiceError `invalid` for a user name or an email that is taken */
export async function refuseDuplicates<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isDuplicate(error, 'user_name_key')) throw takenByAnother('userName')
    if (isDuplicate(error, 'email_key')) throw takenByAnother('email')
    throw error
  }
}

export function takenByAnother(field: 'userName' | 'email'): ServiceError {
  return invalidField(field, 'is taken by another user', 'taken')
}

export function noSuchUser(): ServiceError {
  return refusal('noSuch', { label: 'user' })
}
