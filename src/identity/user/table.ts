/** Row types of users, and of the names with which they sign in. */
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    account: AccountTable
    sign_in_name: SignInNameTable
  }
}

export interface AccountTable {
  id: string
  tenant_id: TenantColumn
  user_name: string
  user_name_key: string
  email: string
  email_key: string
  /** When the user last proved to read the mails of the address; `null`: never. */
  email_verified_at: string | null
  password_hash: string
  first_name: string
  last_name: string
  phone_number: string | null
  /** Names joined by a space. */
  roles: string
  /** JSON object of the values by name; `null` without any. */
  attributes: string | null
  is_active: boolean
  created_at: string
  version: number
}

/** The case-folded user names and emails of a tenant, in one namespace. */
export interface SignInNameTable {
  tenant_id: TenantColumn
  name_key: string
  account_id: string
}
