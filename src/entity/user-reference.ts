/** Members that name users of the tenant. Users are in the catalogue, and rows may be in another database. */
import { userIdOf } from '../core/actor.ts'
import type { Actor, Context } from '../core/context.ts'
import { invalidField } from '../core/errors.ts'
import { Uuid } from '../core/schema/schema.ts'
import type { Member } from './definition.ts'
import { Field } from './field.ts'
import type { Values } from './row.ts'

/**
 * The id of a user of the tenant. Its member is named `<field>Id`. Users are in another place than the rows: the id stays
 * when the user is deleted.
 */
export function user() {
  return new Field<string, 'required', 'reference'>({
    kind: 'reference',
    presence: 'required',
    isNullable: false,
    schema: { ...Uuid },
    isUser: true,
  })
}

/**
 * Before the transaction that writes the values.
 * @returns `null` if no member names a user
 * @throws ServiceError `invalid` for a member that names no user of the tenant
 */
export function requireUsers(
  context: Context,
  members: readonly Member[],
  values: Values,
): Promise<void> | null {
  let given: [name: string, id: string][] | null = null
  for (const { name, spec } of members) {
    const id = spec.isUser === true ? values[name] : undefined
    if (typeof id !== 'string') continue
    given ??= []
    given.push([name, id.toLowerCase()])
  }
  return given === null ? null : requireNamed(context, given)
}

async function requireNamed(
  { shared, tenant }: Context,
  given: readonly (readonly [name: string, id: string])[],
): Promise<void> {
  const ids = given.map(([, id]) => id)
  const known = await shared.users.named(tenant.id, ids)
  for (const [name, id] of given) if (!known.has(id)) throw invalidField(name, 'names no user')
}

/** No user has this id. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** @returns the value of a filter with the id of the caller in place of `me`; whoever is no user is nobody */
export function withMe(given: unknown, actor: Actor | null): unknown {
  const own = (actor && userIdOf(actor)) ?? nobody
  const each = (text: string) =>
    text
      .split(',')
      .map((value) => (value.trim() === 'me' ? own : value))
      .join(',')
  if (Array.isArray(given)) return given.map((value) => (value === 'me' ? own : value))
  return typeof given === 'string' ? each(given) : given
}
