/** The rules of fields of all entities, by the name of the entity. */
import type { Feature } from '../core/feature/feature.ts'
import type { FieldRules } from '../core/feature/field-rule.ts'
import { isPermission, type Permission, type PermissionType } from '../core/permission.ts'

/** @returns those of entities that have any */
export function declaredFieldRules(features: readonly Feature[]): ReadonlyMap<string, FieldRules> {
  return new Map(
    features.flatMap(({ name, fieldRules }) =>
      fieldRules === undefined || fieldRules.size === 0 ? [] : [[name, fieldRules]],
    ),
  )
}

/** The permissions that rules of fields name, for those that no feature declares: a role can grant them. */
export function permissionsOfFields(features: readonly Feature[]): Map<Permission, PermissionType> {
  const named = new Map<Permission, Set<string>>()
  for (const [entity, rules] of declaredFieldRules(features))
    for (const [member, { read, write }] of rules)
      for (const permission of [read, write]) {
        if (permission === undefined || !isPermission(permission)) continue
        const members = named.get(permission) ?? new Set()
        named.set(permission, members.add(`${entity}.${member}`))
      }
  return new Map(
    [...named].map(([permission, members]) => [
      permission,
      { description: `See or change ${[...members].join(', ')}`, role: 'Admin' },
    ]),
  )
}
