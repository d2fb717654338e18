/** The settings of sign-up. */
import { list, oneOf, setting } from './parse.ts'

/** Whether strangers may sign up a tenant: `approval` asks an administrator of the host first. */
export type SignUpMode = 'off' | 'open' | 'approval'

const off: SignUpMode = 'off'
const noNames: string[] = []

export const signUpSettings = {
  SIGN_UP: setting(
    oneOf('off', 'open', 'approval'),
    off,
    'off',
    'Whether anybody may sign up a tenant: `off`, `open`, or `approval` by an administrator of the host',
  ),
  RESERVED_SUBDOMAINS: setting(
    subdomains,
    noNames,
    'none beyond the built-in ones, such as `www` and `api`',
    'Further subdomains that only administrators of the host give to tenants, comma-separated',
  ),
} as const

function subdomains(value: string): string[] {
  const isLabel = (item: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(item)
  return list(isLabel, 'subdomains such as shop')(value).map((item) => item.toLowerCase())
}
