/** Turns the `access` of an entity's definition into the permissions that the operations on its rows require. */
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
import { type Operation, operations } from './operation.ts'

/**
 * Who may use an operation. `public`: everybody. `user`: the roles Admin and User. `admin`: the role Admin. `host`: Admin
 * of the host tenant only, for rows of the installation. A permission: Admin, and each role that grants it.
 */
export type EntityAccess = 'public' | 'user' | 'admin' | 'host' | Permission

export type AccessOptions = { read?: EntityAccess; write?: EntityAccess } & Partial<
  Record<Operation, EntityAccess>
>

type RequiredAccess = 'public' | Permission

export interface GrantedAccess {
  /** `read` is required to receive every event. With row rules, it is the permission that no rule restricts. */
  operations: Record<Operation | 'read' | 'write', RequiredAccess>
  actions: Record<string, RequiredAccess>
  /** The stricter of the accesses of `list` and `get`. Row rules may still hide rows from its holders. */
  readsSome: RequiredAccess
  /** A caller needs one of these permissions to read a row through a reference to it. `null`: everybody may. */
  readers: readonly Permission[] | null
  /** The permissions that the entity declares. */
  permissions: PermissionCatalogue
}

const reading = ['list', 'get'] as const

interface RuledAccess {
  /** The access of each action; an action without one requires the access of `write`. */
  actions?: Readonly<Record<string, EntityAccess | undefined>>
  /** The permission whose holders no row rule restricts; `null` for an entity without row rules. */
  all?: Permission | null
}

/** @param given the access as the definition states it; an operation without one has that of `read` or `write` */
export function grantedAccess(
  names: Names,
  given: AccessOptions = {},
  { actions = {}, all = null }: RuledAccess = {},
): GrantedAccess {
  const permissions = new Map<Permission, PermissionType>()
  const requiredFor = (
    access: EntityAccess,
    verb: PermissionVerb | 'action',
    word: string = verb,
  ): RequiredAccess => {
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
  const read = requiredFor(given.read ?? 'user', 'read')
  const write = requiredFor(given.write ?? 'user', 'write')
  if (all !== null) requiredFor(all, 'all')
  const isReading = (operation: Operation) => reading.some((each) => each === operation)
  const accessOf = (operation: Operation): RequiredAccess => {
    const own = given[operation]
    const base = isReading(operation) ? 'read' : 'write'
    // An operation gets a permission of its own only if its access differs from that of `read` or `write`.
    if (own === undefined || own === (given[base] ?? 'user')) return base === 'read' ? read : write
    return requiredFor(own, operation)
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
        own === undefined ? write : requiredFor(requireOwnWord(names, name, own), 'action', name),
      ]),
    ),
    readsSome,
    readers: list === 'public' || get === 'public' ? null : [...new Set([get, list])],
    permissions: Object.fromEntries(permissions),
  }
}

/** The last words of the permissions that are not of actions. */
const words: ReadonlySet<string> = new Set([...operations, 'read', 'write', 'all'])

/**
 * @returns the access
 * @throws Error for one that would be another permission: an action `read` of admins would be open to all who read rows
 */
function requireOwnWord({ name }: Names, action: string, access: EntityAccess): EntityAccess {
  if (access === 'public' || isPermission(access) || !words.has(action)) return access
  throw new Error(
    `${name}.${action}: its access would be the permission ${name}:${action}, which is not of the action: name another permission, or rename the action.`,
  )
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

/** @returns the access to events, which show a row and that the row exists: the stricter of `get` and `list` */
function stricter(
  list: RequiredAccess,
  get: RequiredAccess,
  own: ReadonlyMap<Permission, PermissionType>,
): RequiredAccess {
  const rankOf = (required: RequiredAccess) => {
    if (required === 'public') return 0
    return own.get(required)?.role === 'User' ? 1 : 2 // a permission of another feature counts as Admin's
  }
  return rankOf(get) > rankOf(list) ? get : list
}
