/** Who may do what with the rows of an entity: what a definition states, as permissions. */
import { labelOfName } from '../core/feature/labelled.ts'
import { english } from '../core/language/en.ts'
import { type Language, type Noun, type PermissionVerb, textNamed } from '../core/language/language.ts'
import { sentencesOf } from '../core/language/languages.ts'
import {
  type BuiltInRole,
  isPermission,
  type Permission,
  type PermissionCatalogue,
  type PermissionType,
} from '../core/permission.ts'
import type { Names } from './definition.ts'
import type { Operation } from './operation.ts'

/**
 * `public`: everybody. `user`: a permission of the entity that the roles Admin and User have. `admin`: one that only
 * Admin has. `host`: one that exists in the host tenant only, for rows of the installation. A permission: those who have
 * it, which is only Admin until a role grants it.
 */
export type EntityAccess = 'public' | 'user' | 'admin' | 'host' | Permission

export type AccessOptions = { read?: EntityAccess; write?: EntityAccess } & Partial<
  Record<Operation, EntityAccess>
>

type Required = 'public' | Permission

export interface GrantedAccess {
  /** `read` is the access to events. For an entity with rules of rows, it is the access to every event. */
  operations: Record<Operation | 'read' | 'write', Required>
  actions: Record<string, Required>
  /** The stricter one of the accesses of `list` and `get`. Rules of rows may still hide rows. */
  readsSome: Required
  /** Permissions of which a caller needs one to read rows that references name; `null`: everybody may. */
  readers: readonly Permission[] | null
  /** The permissions that the entity declares. */
  permissions: PermissionCatalogue
}

const reading = ['list', 'get'] as const

interface RuledAccess {
  /** The access of each action, if it is not that of writing. */
  actions?: Readonly<Record<string, EntityAccess | undefined>>
  /** The permission that has no rule of rows; `null` for an entity without rules. */
  all?: Permission | null
}

export function grantedAccess(
  names: Names,
  given: AccessOptions = {},
  { actions = {}, all = null }: RuledAccess = {},
): GrantedAccess {
  const permissions = new Map<Permission, PermissionType>()
  const require = (access: EntityAccess, verb: PermissionVerb | 'action', word: string = verb): Required => {
    if (access === 'public') return access
    const permission = isPermission(access) ? access : (`${names.name}:${word}` as const)
    if (permission.startsWith(`${names.name}:`) && !permissions.has(permission)) {
      const role: BuiltInRole = access === 'user' ? 'User' : 'Admin'
      permissions.set(permission, {
        ...sentencesOfPermission(names, verb, word),
        role,
        ...(access === 'host' && { isForHost: true }),
      })
    }
    return permission
  }
  const read = require(given.read ?? 'user', 'read')
  const write = require(given.write ?? 'user', 'write')
  if (all !== null) require(all, 'all')
  const isReading = (operation: Operation) => reading.some((each) => each === operation)
  const accessOf = (operation: Operation): Required => {
    const own = given[operation]
    const base = isReading(operation) ? 'read' : 'write'
    if (own === undefined || own === (given[base] ?? 'user')) return base === 'read' ? read : write
    return require(own, operation)
  }
  const [list, get] = [accessOf('list'), accessOf('get')]
  const readsSome = stricter(list, get, permissions)
  return {
    operations: {
      read: all ?? readsSome,
      write,
      list,
      get,
      create: accessOf('create'),
      replace: accessOf('replace'),
      change: accessOf('change'),
      delete: accessOf('delete'),
    },
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, own]) => [
        name,
        own === undefined ? write : require(own, 'action', name),
      ]),
    ),
    readsSome,
    readers: list === 'public' || get === 'public' ? null : [...new Set([get, list])],
    permissions: Object.fromEntries(permissions),
  }
}

function sentencesOfPermission(
  { label, labels, translations }: Names,
  verb: PermissionVerb | 'action',
  word: string,
): Pick<PermissionType, 'description' | 'labels'> {
  const say = ({ permission }: Language, noun: Noun, action: string) =>
    verb === 'action' ? permission.action(noun, action) : permission[verb](noun)
  return {
    description: say(english, { one: label, many: labels }, labelOfName(word)),
    labels: sentencesOf(translations, (language, noun, { actions }) =>
      say(language, noun, textNamed(actions, word) ?? labelOfName(word)),
    ),
  }
}

/** @returns the access to events: an event shows a row and that it exists, which takes the rights to both reads */
function stricter(list: Required, get: Required, own: ReadonlyMap<Permission, PermissionType>): Required {
  const rankOf = (required: Required) => {
    if (required === 'public') return 0
    return own.get(required)?.role === 'User' ? 1 : 2 // the permissions of others are those of administrators
  }
  return rankOf(get) > rankOf(list) ? get : list
}
