/** The roles that an application declares, and those that users get by default. */
import { ApplicationError } from '../core/feature/application-error.ts'
import { suggestion } from '../core/names.ts'
import {
  type ApplicationRole,
  type ApplicationRoles,
  builtInRoles,
  type Permission,
  type Permissions,
} from '../core/permission.ts'

export type RoleDeclarations = Readonly<Record<string, readonly Permission[]>>

/** The roles that users get whose creator names none. */
export interface DefaultRoles {
  /** The role of who is invited, in a tenant whose setting `defaultRole` says nothing else. */
  invitation?: string
  /** The role of who signs in at a provider that was set without `defaultRoles`. */
  singleSignOn?: string
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,49}$/
const maxRoles = 100

/** @throws ApplicationError for a name that no role can have, and a permission that no feature declares */
export function declaredRoles(given: RoleDeclarations = {}, permissions: Permissions): ApplicationRoles {
  const roles = new Map<string, ApplicationRole>()
  for (const [name, granted] of Object.entries(given)) {
    const key = name.toLowerCase()
    if (!namePattern.test(name))
      throw new ApplicationError(
        `roles.${name}: a name has 1 to 50 letters, digits, _ and -, and begins with a letter.`,
      )
    if (isBuiltIn(name))
      throw new ApplicationError(`roles.${name}: the role is built in, and cannot be declared.`)
    if (roles.has(key))
      throw new ApplicationError(`roles.${name}: another role has the name in other letters.`)
    roles.set(key, {
      name,
      permissions: [...new Set(granted.map((each) => known(name, each, permissions)))].sort(),
    })
  }
  if (roles.size > maxRoles) throw new ApplicationError(`roles: there are more than ${maxRoles}.`)
  return roles
}

function known(role: string, name: string, permissions: Permissions): Permission {
  if (permissions.has(name)) return name
  const near = suggestion(
    name,
    permissions.list().map(([each]) => each),
  )
  throw new ApplicationError(`roles.${role}: no feature declares the permission ${name}${near}.`)
}

/** @throws ApplicationError for a default that is no role of every tenant, or Admin */
export function requireDefaults(defaults: DefaultRoles = {}, roles: RoleDeclarations = {}): void {
  const names = [...builtInRoles, ...Object.keys(roles)]
  for (const [way, name] of Object.entries(defaults)) {
    if (way !== 'invitation' && way !== 'singleSignOn')
      throw new ApplicationError(
        `defaultRoles: there is no ${way}${suggestion(way, ['invitation', 'singleSignOn'])}.`,
      )
    if (!names.includes(name))
      throw new ApplicationError(
        `defaultRoles.${way}: the application has no role ${name}${suggestion(name, names)}.`,
      )
    if (name === 'Admin') throw new ApplicationError(`defaultRoles.${way}: must be another role than Admin.`)
  }
}

function isBuiltIn(name: string): boolean {
  return builtInRoles.some((each) => each.toLowerCase() === name.toLowerCase())
}
