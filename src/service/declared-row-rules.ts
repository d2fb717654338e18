/** What rules of rows name. */
import type { Feature } from '../core/feature/feature.ts'
import { isPermission, type Permission, type PermissionType } from '../core/permission.ts'
import { conditionsOf, type RowCondition, type RowRules, type TableRules } from '../database/row-rule.ts'

export function declaredRowRules(features: readonly Feature[]): RowRules {
  return new Map(features.flatMap(({ rowRules }) => [...(rowRules?.() ?? [])]))
}

/** The permissions that rules of rows name, for those that no feature declares: a role can grant them. */
export function permissionsOfRows(features: readonly Feature[]): Map<Permission, PermissionType> {
  const named = new Map<Permission, Set<string>>()
  for (const [table, rules] of declaredRowRules(features))
    for (const permission of namedBy(rules)) {
      if (!isPermission(permission)) continue
      named.set(permission, (named.get(permission) ?? new Set()).add(table))
    }
  return new Map(
    [...named].map(([permission, tables]) => [
      permission,
      { description: `Reach rows of ${[...tables].join(', ')}`, role: 'Admin' },
    ]),
  )
}

function namedBy(rules: TableRules): string[] {
  return [rules.all, ...conditionsOf(rules).flatMap(permissionsIn)]
}

function permissionsIn(condition: RowCondition): string[] {
  switch (condition.kind) {
    case 'any':
    case 'all':
      return condition.parts.flatMap(permissionsIn)
    case 'referred':
      return permissionsIn(condition.condition)
    case 'caller':
      return condition.permission === undefined ? [] : [condition.permission]
    default:
      return []
  }
}
