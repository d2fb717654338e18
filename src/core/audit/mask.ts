/** Hides values in audit records from readers who may not read the same members in rows. */
import type { Context } from '../context.ts'
import { type FieldRules, mayRead, rulesWithin } from '../feature/field-rule.ts'
import { noPermission, type PermissionSet } from '../permission.ts'

type Detail = Record<string, unknown>

/** Replaces a hidden value. The record still shows that the member has changed. */
const hidden = { isHidden: true }

/** @returns a function that masks the detail of a record, given the kind of its subject such as `order` */
export function auditMask({
  shared,
  authority,
  actor,
}: Context): (subject: string, detail: Detail) => Detail {
  const { fieldRules } = shared
  if (fieldRules.size === 0 || authority === 'tenant') return (_subject, detail) => detail
  const permissions = actor?.permissions ?? noPermission
  return (subject, detail) => {
    const rules = fieldRules.get(subject)
    return rules === undefined ? detail : masked(detail, rules, permissions)
  }
}

/** Hides a list as a whole if any member in it is hidden, because its text may be cut off anywhere. */
function masked(detail: Detail, rules: FieldRules, permissions: PermissionSet): Detail {
  const isHidden = (name: string) => {
    const own = [rules.get(name) ?? {}, ...rulesWithin(rules, name).map(([, rule]) => rule)]
    return !own.every((rule) => mayRead(rule, permissions))
  }
  const members = Object.entries(detail).map(
    ([name, value]) => [name, isHidden(name) ? hidden : value] as const,
  )
  return Object.fromEntries(members)
}
