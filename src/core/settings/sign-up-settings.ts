/** The settings of sign-up and invitations. */
import { list, oneOf, setting } from './parse.ts'

/** Whether strangers may sign up a tenant. With `approval` an administrator of the host decides about each. */
export type SignUpMode = 'off' | 'open' | 'approval'

const off: SignUpMode = 'off'
const noNames: string[] = []
const noRole: string | null = null

export const signUpSettings = {
  SIGN_UP: setting(
    oneOf('off', 'open', 'approval'),
    off,
    'off',
    'Whether anybody may sign up a tenant: `off`, `open`, or `approval` by an administrator of the host',
  ),
  DEFAULT_ROLE: setting(
    roleName,
    noRole,
    '`User`, or what the application declares',
    'Role of users who are invited without roles, in tenants whose setting `defaultRole` says nothing else',
  ),
  RESERVED_SUBDOMAINS: setting(
    subdomains,
    noNames,
    'none beyond the built-in ones, such as `www` and `api`',
    'Further subdomains that only administrators of the host give to tenants, comma-separated',
  ),
} as const

function roleName(value: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,49}$/.test(value) && value.toLowerCase() !== 'admin') return value
  throw new Error('must be the name of a role other than Admin')
}

function subdomains(value: string): string[] {
  const isLabel = (item: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(item)
  return list(isLabel, 'subdomains such as shop')(value).map((item) => item.toLowerCase())
}
