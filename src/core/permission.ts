/** Permissions: what an actor may do, named `resource:action`. Features declare them, and roles grant them. */
import { refusal, type ServiceError } from './errors.ts'
import type { Translations } from './language/language.ts'

export type Permission = `${string}:${string}`

/** Every tenant has these roles, and may have others. */
export const builtInRoles = ['Admin', 'User'] as const
export type BuiltInRole = (typeof builtInRoles)[number]

export interface PermissionType {
  /** A short text for people who compose a role: "See orders". */
  description: string
  /** The description in other languages: `{ de: 'Bestellungen lesen' }`. */
  labels?: Translations
  /** The lower built-in role that has it. `Admin` has every permission. */
  role: BuiltInRole
  /**
   * Whether it concerns all tenants: only users of the host tenant can have it, whatever a stored role or key
   * grants.
   */
  isForHost?: true
}

/** A role that an application declares. Every tenant has it. */
export interface ApplicationRole {
  name: string
  /** The permissions are sorted. */
  permissions: readonly Permission[]
}

/** The roles by their names in lower case. */
export type ApplicationRoles = ReadonlyMap<string, ApplicationRole>

export type PermissionCatalogue = Readonly<Record<Permission, PermissionType>>

/** The permissions of an actor at present. */
export interface PermissionSet {
  has(permission: Permission): boolean
}

export const everyPermission: PermissionSet = { has: () => true }
export const noPermission: PermissionSet = { has: () => false }

const word = '[a-z][A-Za-z0-9]*(-[a-z0-9]+)*'
export const permissionPattern = `^${word}:${word}$`
export const maxPermissionLength = 100
const isWellFormed = new RegExp(permissionPattern)

/** The permissions of all features. */
export class Permissions {
  readonly #types = new Map<string, PermissionType>()
  readonly #ofUser: ReadonlySet<string>
  /** The permissions of administrators outside of the host tenant. */
  readonly #everyOther: PermissionSet = { has: (name) => !this.#isForHost(name) }

  readonly #hostTenantId: string

  /** @throws Error for a malformed name, or one that two features declare */
  constructor(catalogues: readonly PermissionCatalogue[], hostTenantId: string) {
    this.#hostTenantId = hostTenantId
    for (const [name, type] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
      if (!isWellFormed.test(name) || name.length > maxPermissionLength)
        throw new Error(`${name} is not a permission: it has to be resource:action.`)
      if (this.#types.has(name)) throw new Error(`Two features declare the permission ${name}.`)
      if (type.isForHost === true && type.role === 'User')
        throw new Error(`${name} concerns all tenants: it cannot be of the role User.`)
      this.#types.set(name, type)
    }
    this.#ofUser = new Set([...this.#types].filter(([, { role }]) => role === 'User').map(([name]) => name))
  }

  /** @returns all permissions, sorted by name */
  list(): [name: Permission, type: PermissionType][] {
    const entries = [...this.#types] as [Permission, PermissionType][] // names are checked when they are declared
    return entries.sort(([one], [other]) => (one < other ? -1 : 1))
  }

  /** @returns the declared permissions that the set has, sorted */
  in(set: PermissionSet): Permission[] {
    return this.list()
      .map(([name]) => name)
      .filter((name) => set.has(name))
  }

  has(name: string): name is Permission {
    return this.#types.has(name)
  }

  /** Whether anybody of the tenant can have the permission. */
  existsIn(tenantId: string, name: string): name is Permission {
    return this.#types.has(name) && (tenantId === this.#hostTenantId || !this.#isForHost(name))
  }

  /** @returns the permissions that a built-in role grants in the tenant */
  ofRole(role: BuiltInRole, tenantId: string): PermissionSet {
    if (role === 'User') return this.#ofUser
    return tenantId === this.#hostTenantId ? everyPermission : this.#everyOther
  }

  #isForHost(name: string): boolean {
    return this.#types.get(name)?.isForHost === true
  }
}

/** The error for an actor without the permission. */
export function lacking(permission: Permission): ServiceError {
  return refusal('permissionLacking', { permission })
}

/** Whether a caller who is admitted has an access: a word such as `user` or `public` asks for no permission. */
export function hasAccess(permissions: PermissionSet | undefined, access: string): boolean {
  return !isPermission(access) || permissions?.has(access) === true
}

/** The access of a route or field that names a permission. */
export function isPermission(access: string): access is Permission {
  return access.includes(':')
}
