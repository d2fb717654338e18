/** The permissions of all features, and a check that routes and fields require no others. */

import { hostTenantId } from '../core/context.ts'
import { ApplicationError } from '../core/feature/application-error.ts'
import type { Feature } from '../core/feature/feature.ts'
import { accessesOfRoute } from '../core/feature/route.ts'
import { isPermission, Permissions } from '../core/permission.ts'
import { permissionsOfFields } from './declared-field-rules.ts'
import { permissionsOfRows } from './declared-row-rules.ts'

/** @throws Error for a route or a field with a permission that no feature declares: no role could grant it */
export function declaredPermissions(features: readonly Feature[]): Permissions {
  const declared = features.map((feature) => feature.permissions ?? {})
  const known = new Set(declared.flatMap(Object.keys))
  const ofRules = [...permissionsOfRows(features), ...permissionsOfFields(features)]
  const added = Object.fromEntries(ofRules.filter(([name]) => !known.has(name)))
  const permissions = new Permissions([...declared, added], hostTenantId)
  for (const [what, access] of features.flatMap(accessesOf)) {
    if (isPermission(access) && !permissions.has(access))
      throw new ApplicationError(`${what} requires the permission ${access}, which no feature declares.`)
  }
  return permissions
}

export function accessesOf({ routes = [], graphql = {} }: Feature): [what: string, access: string][] {
  const { queries, mutations, subscriptions } = graphql
  const fields = Object.entries({ ...queries, ...mutations, ...subscriptions })
  return [
    ...routes.flatMap((route) =>
      accessesOfRoute(route).map((access): [string, string] => [`${route.method} ${route.path}`, access]),
    ),
    ...fields.map(([name, { access = 'user' }]): [string, string] => [`The field ${name}`, access]),
  ]
}
