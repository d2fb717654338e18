/** Collects the row rules of all features, and what they name. */
import type { Feature } from '../core/feature/feature.ts'
import { isPermission, type Permission, type PermissionType } from '../core/permission.ts'
import {
  conditionsOf,
  isDecidedByValues,
  type RowCondition,
  type RowRules,
  type TableRules,
} from '../database/row-rule.ts'

export function declaredRowRules(features: readonly Feature[]): RowRules {
  return new Map(features.flatMap(({ rowRules }) => [...(rowRules?.() ?? [])]))
}

/** The names of the features with row rules, by what decides who receives their events. */
export interface EventDecisions {
  /** Features whose events store the values that decide. */
  byValues: string[]
  /** Features for whose events the database is asked when an event is sent. */
  byDatabase: string[]
}

/** Describes for the log of a start how rules decide on events. */
export function eventDecisions(features: readonly Feature[]): EventDecisions {
  const ruled = features.flatMap(({ name, rowRules }) => {
    const conditions = [...(rowRules?.().values() ?? [])].flatMap(({ operations }) => operations.read ?? [])
    return conditions.length === 0 ? [] : [{ name, isByValues: conditions.every(isDecidedByValues) }]
  })
  const namesOf = (wanted: boolean) =>
    ruled.filter(({ isByValues }) => isByValues === wanted).map(({ name }) => name)
  return { byValues: namesOf(true), byDatabase: namesOf(false) }
}

/** The permissions that row rules name. A role can grant them, even if no feature declares them. */
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
