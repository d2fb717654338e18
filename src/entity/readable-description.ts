/** Reduces the description of an entity to what a caller may read and write. */
import type { DescribedField, EntityDescription } from '../core/feature/entity-description.ts'
import { type FieldRules, mayRead, mayWrite, noRule, rulesWithin } from '../core/feature/field-rule.ts'
import type { PermissionSet } from '../core/permission.ts'

/** @param rules of the entity's fields, if it has any */
export function readableTo(
  permissions: PermissionSet,
  entity: EntityDescription,
  rules: FieldRules = new Map(),
): EntityDescription {
  if (rules.size === 0) return entity
  const reads = (name: string) => mayRead(rules.get(name) ?? noRule, permissions)
  const { actions, fields, sortedBy, title } = entity
  return {
    ...entity,
    title: reads(title) ? title : 'id',
    sortedBy: sortedBy.filter(reads),
    fields: fields.filter(({ name }) => reads(name)).map((field) => writableTo(permissions, field, rules)),
    actions: actions.map((action) => ({
      ...action,
      from: onlyNamed(action.from, reads),
      to: onlyNamed(action.to, reads),
    })),
  }
}

function onlyNamed<T>(
  values: Readonly<Record<string, T>>,
  reads: (name: string) => boolean,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => reads(name)))
}

function writableTo(permissions: PermissionSet, field: DescribedField, rules: FieldRules): DescribedField {
  const own = rules.get(field.name) ?? noRule
  const within = new Map(rulesWithin(rules, field.name))
  const writesAll = [...within.values()].every((rule) => mayWrite(rule, permissions))
  return {
    ...field,
    isReadOnly: field.isReadOnly || !mayWrite(own, permissions),
    ...((own.write === 'once' || !writesAll) && { isFixed: true }),
    fields: field.fields
      .filter(({ name }) => mayRead(within.get(name) ?? noRule, permissions))
      .map((inner) => ({
        ...inner,
        isReadOnly: inner.isReadOnly || !mayWrite(within.get(inner.name) ?? noRule, permissions),
      })),
  }
}
