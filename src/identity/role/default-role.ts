/** The role of new users without roles: users who were invited without any, or for whom single sign-on names none. */
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { setting, type TenantSetting } from '../../core/tenant/settings/setting.ts'
import { inCatalogueFirst } from '../../core/transaction.ts'
import { protectAdministrator } from './administrator.ts'
import { builtInRole, existingRoles, grantableRoles } from './grant.ts'
import { RoleName } from './schema.ts'

export type DefaultRole = TenantSetting<string>

export const defaultRoleName = 'defaultRole'

/** @param initial the role in a tenant that has set none */
export function defaultRoleSetting(initial: string): DefaultRole {
  const description = 'The role of users who are invited without roles'
  const schema = Type.Refine(
    Type.String({ ...RoleName, description, examples: ['User'] }),
    (name) => builtInRole(name) !== 'Admin',
    () => 'must be another role than Admin',
  )
  return setting(schema, { default: initial })
}

/**
 * Requires that the actor may grant the new default role, because future users get it. To be called before the
 * transaction that changes the setting, which may be in another database than the roles.
 * @param wanted `null` for the initial role, which the tenant may not have; `undefined` for no change
 * @throws ServiceError `invalid` if the tenant has no such role, `forbidden` for a role that the actor may not
 *   grant, and for a role of administrators without a recent sign-in
 */
export async function requireDefaultRole(context: Context, wanted: unknown, initial: unknown): Promise<void> {
  if (wanted === undefined) return
  await inCatalogueFirst(context, async (inside) => {
    const names = wanted === null ? await existingRoles(inside, [String(initial)]) : [String(wanted)]
    await protectAdministrator(inside, await grantableRoles(inside, names, defaultRoleName))
  })
}
