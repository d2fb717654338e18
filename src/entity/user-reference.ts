/** Members that name users of the tenant. Users are in the catalogue, and rows may be in another database. */
import { userIdOf } from '../core/actor.ts'
import { completedText } from '../core/completion.ts'
import type { Actor, Context } from '../core/context.ts'
import { invalidField } from '../core/errors.ts'
import { Uuid } from '../core/schema/schema.ts'
import type { Child, Member, Shape } from './definition.ts'
import { Field } from './field.ts'
import type { Values } from './row.ts'

interface UserOptions {
  /**
   * What becomes of the id when the user is deleted: it stays, which is the default, or a job clears it soon
   * afterwards. Users may be in another database than the rows, so that no foreign key refuses the deletion.
   */
  onDelete?: 'keep' | 'clear'
}

/**
 * The id of a user of the tenant. Its member is named `<field>Id`. If it is `shown()`, GraphQL has the name of the
 * user as `<field>Name`, for everybody who reads the row.
 */
export function user({ onDelete = 'keep' }: UserOptions = {}) {
  return new Field<string, 'required', 'reference'>({
    kind: 'reference',
    presence: 'required',
    isNullable: false,
    schema: { ...Uuid },
    isUser: true,
    ...(onDelete === 'clear' && { isCleared: true }),
  })
}

export const maxUserName = 256

export function nameOfUser({ field }: Pick<Member, 'field'>): string {
  return `${field}Name`
}

/**
 * Called before the transaction that writes the values.
 * @returns `null` if no member names a user
 * @throws ServiceError `invalid` for a member that names no user of the tenant
 */
export function requireUsers(
  context: Context,
  { members, children }: Shape,
  values: Values,
): Promise<void> | null {
  const given = [...usersIn(members, values), ...children.flatMap((child) => usersOfList(child, values))]
  return given.length === 0 ? null : requireNamed(context, given)
}

type UserInMember = [name: string, id: string]

function usersOfList({ name: list, members }: Child, values: Values): UserInMember[] {
  const rows = values[list]
  if (!Array.isArray(rows) || !members.some(({ spec }) => spec.isUser === true)) return []
  return rows.flatMap((row: Values, place) => usersIn(members, row, `${list}.${place}.`))
}

function usersIn(members: readonly Member[], values: Values, place = ''): UserInMember[] {
  const given: UserInMember[] = []
  for (const { name, spec } of members) {
    const id = spec.isUser === true ? values[name] : undefined
    if (typeof id === 'string') given.push([`${place}${name}`, id.toLowerCase()])
  }
  return given
}

async function requireNamed(
  { shared, tenant }: Context,
  given: readonly (readonly [name: string, id: string])[],
): Promise<void> {
  const ids = given.map(([, id]) => id)
  const known = await shared.users.named(tenant.id, ids)
  for (const [name, id] of given) if (!known.has(id)) throw invalidField(name, 'names no user', 'notFound')
}

/** No user has this id. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** @returns the value of a filter with the id of the caller in place of `me`; with `nobody` if that is no user */
export function withMe(given: unknown, actor: Actor | null): unknown {
  const own = (actor && userIdOf(actor)) ?? nobody
  const replacedIn = (text: string) =>
    text
      .split(',')
      .map((value) => (value.trim() === 'me' ? own : value))
      .join(',')
  if (Array.isArray(given)) return given.map((value) => (value === 'me' ? own : value))
  return typeof given === 'string' ? replacedIn(given) : given
}

/** The user names of ids: of users of the tenant, or nothing. */
export const userNames = completedText(async ({ shared, tenant }, ids) => {
  const keys = ids.map((id) => id.toLowerCase())
  const names = await shared.users.named(tenant.id, keys)
  return keys.map((key) => names.get(key))
})
