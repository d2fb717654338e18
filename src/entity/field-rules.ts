/**
 * The language of rules of fields: `fields: { note: { read: 'ticket:internal' }, cost: { write: never } }`, read once when
 * the entity is declared.
 */
import { defined } from '../core/defined.ts'
import { type FieldRule, type FieldRules, noRule } from '../core/feature/field-rule.ts'
import { isPermission, type Permission } from '../core/permission.ts'
import type { FieldSpec, Fields } from './field.ts'

/** No caller writes the field: defaults, hooks and actions do. */
export const never = 'never'

/** A member of a payload that shows what a rule hides. */
export interface Revealed<M extends string = string> {
  readonly reveals: M
}

/** Marks a member with a read rule that the payload of an event has nevertheless: all who receive the event see it. */
export function reveal<const M extends string>(member: M): Revealed<M> {
  return { reveals: member }
}

export interface AccessOfField {
  /** The permission to read the field; everybody who reads the row by default. */
  read?: Permission
  /** The permission to write it, `never`, or `once`: a new row gets it, and keeps it. */
  write?: Permission | typeof never | 'once'
  /** The fields with a read rule that a computed field may show to all who read the row. */
  reveals?: readonly string[]
}

/** A field, or a member of the rows of a list: `lines.cost`. */
export type FieldPath<F extends Fields> = {
  [N in keyof F & string]: F[N]['types']['kind'] extends 'many'
    ? N | `${N}.${MemberOfRows<F[N]['types']['value']>}`
    : N
}[keyof F & string]

type MemberOfRows<V> = NonNullable<V> extends readonly (infer R)[] ? keyof R & string : never

export type AccessOfFields<F extends Fields> = { readonly [P in FieldPath<F>]?: AccessOfField }

/** The access of fields, without the types that only their author sees. */
export type AnyAccessOfFields = Readonly<Record<string, AccessOfField | undefined>>

/** @returns the rules by field, or `lines.cost` @throws Error for a rule that makes no sense, with its place */
export function fieldRulesOf(entity: string, fields: Fields, given: AnyAccessOfFields): FieldRules {
  const rules = new Map<string, FieldRule>()
  for (const [path, access = {}] of Object.entries(given)) {
    const refuse = (reason: string): never => {
      throw new Error(`${entity}: in its rules of fields, ${path}: ${reason}`)
    }
    requireAccess(access, specAt(fields, path) ?? refuse('there is no such field.'), {
      isInList: path.includes('.'),
      refuse,
    })
    const unknown = access.reveals?.find((name) => fields[name] === undefined)
    if (unknown !== undefined) refuse(`it reveals ${unknown}, which is no field.`)
    const { read, write } = access
    const rule = defined({ read, write })
    if (Object.keys(rule).length > 0) rules.set(path, rule)
  }
  return rules
}

/** @param field the name in the definition @param name the name of the member, which rules of list rows use */
export function ruleOfField(rules: FieldRules, field: string, name: string): FieldRule {
  return rules.get(field) ?? rules.get(name) ?? noRule
}

function specAt(fields: Fields, path: string): FieldSpec | undefined {
  const [field = '', ...rest] = path.split('.')
  const spec = fields[field]?.spec
  if (rest.length === 0) return spec
  const inner = rest.join('.') // no field has a dot in its name
  const items = Object.entries(spec?.items ?? {})
  return items.find(([name, { spec: own }]) => inner === (own.kind === 'reference' ? `${name}Id` : name))?.[1]
    .spec
}

interface CheckedField {
  isInList: boolean
  refuse(reason: string): never
}

function requireAccess(
  { read, write, reveals }: AccessOfField,
  spec: FieldSpec,
  { isInList, refuse }: CheckedField,
): void {
  if (read !== undefined && !isPermission(read)) refuse('read names a permission, such as ticket:internal.')
  const words: readonly unknown[] = [undefined, never, 'once']
  if (!words.includes(write) && !isPermission(String(write)))
    refuse("write is a permission, never, or 'once'.")
  if (write !== undefined && (spec.presence === 'readOnly' || spec.presence === 'computed'))
    refuse('callers do not write it anyway.')
  if (isInList && (write === never || write === 'once'))
    refuse('rows of a list are written as a whole: use readOnly(), or a permission.')
  if (reveals !== undefined && spec.presence !== 'computed') refuse('only a computed field reveals others.')
}
