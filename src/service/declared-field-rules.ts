/** The rules of fields of all entities, by the name of the entity. */
import { ApplicationError } from '../core/feature/application-error.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { FieldRules } from '../core/feature/field-rule.ts'
import { isPermission, type Permission, type PermissionType } from '../core/permission.ts'
import type { ReadField, ReadModel } from '../database/read/read-model.ts'
import { guards } from '../database/read/readable.ts'

/**
 * The field rules, and whether anything hides members from callers.
 * @throws ApplicationError like `declaredFieldRules`
 */
export function declaredHiding(features: readonly Feature[]) {
  const fieldRules = declaredFieldRules(features)
  return { fieldRules, hidesMembers: fieldRules.size > 0 || haveGuards(features) }
}

/**
 * @returns the field rules of the entities that have any
 * @throws ApplicationError for an entity that a feature offers without its field rules: nothing would be hidden
 */
export function declaredFieldRules(features: readonly Feature[]): ReadonlyMap<string, FieldRules> {
  const all = features.flatMap(({ fieldRules }) => [...(fieldRules ?? [])])
  const declared = new Map(all.filter(([, rules]) => rules.size > 0))
  const read = new Set(
    [...declared.values()].flatMap((rules) => [...rules.values()].map((rule) => rule.read)),
  )
  for (const feature of features)
    for (const { name, permission } of membersOf(feature))
      if (permission !== undefined && !read.has(permission as Permission))
        // a rule names one
        throw new ApplicationError(
          `The feature ${feature.name} has ${name}, but not the fieldRules of its entity.`,
        )
  return declared
}

function membersOf({ graphql }: Feature): ReadField[] {
  const queries = Object.values(graphql?.queries ?? {})
  return queries.flatMap((field) => (field.kind === 'object' ? [] : [...field.entity.fields.values()]))
}

/** Whether some reference leads to rows that not every reader of the referring row may read. */
function haveGuards(features: readonly Feature[]): boolean {
  const seen = new Set<ReadModel>()
  const hasGuard = (model: ReadModel): boolean => {
    if (seen.has(model)) return false
    seen.add(model)
    return [...model.relations.values()].some((relation) => guards(relation) || hasGuard(relation.entity))
  }
  return features.some(({ graphql: { queries = {}, mutations = {}, subscriptions = {} } = {} }) =>
    [...Object.values(queries), ...Object.values(mutations), ...Object.values(subscriptions)].some(
      (field) => 'entity' in field && hasGuard(field.entity),
    ),
  )
}

/** The permissions that field rules name. A role can grant them, even if no feature declares them. */
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
