/** Enforces field rules: refuses members that a caller may not write, and removes those that it may not read. */
import { hash } from 'node:crypto'
import { invalidField, refusal } from '../core/errors.ts'
import { type FieldRule, type FieldRules, mayRead, mayWrite, noRule } from '../core/feature/field-rule.ts'
import { isPermission } from '../core/permission.ts'
import { viewOf } from '../core/precondition.ts'
import type { RowReach } from '../database/row-reach.ts'
import { type Child, type Member, mayBeLeftOut, type Shape } from './definition.ts'
import type { StoredRow, Values } from './row.ts'

/** @returns the rules of a shape by member; those of the rows of a list as `lines.cost` */
export function rulesByMember({ members, children }: Pick<Shape, 'members' | 'children'>): FieldRules {
  const inner = children.flatMap((child) =>
    child.members.map(({ name, rule }) => [`${child.name}.${name}`, rule] as const),
  )
  const all = [...[...members, ...children].map(({ name, rule }) => [name, rule] as const), ...inner]
  return new Map(all.filter(([, rule]) => rule !== noRule))
}

/** The members of a row, and of the rows of its lists. */
type MemberWithRule = { name: string; rule: FieldRule; members: readonly Member[] }

/** The parameter `reach` is what the rules grant the caller; `null` for code, which no rule restricts. */
export class FieldGuard {
  readonly #ruled: readonly MemberWithRule[]
  readonly #shape: Shape
  readonly #hides: boolean
  /** Texts for tags, by the names of the members that a caller reads. */
  readonly #views = new Map<string, string>()

  /** @returns `null` for an entity without rules of fields */
  static of(shape: Shape): FieldGuard | null {
    return rulesByMember(shape).size === 0 ? null : new FieldGuard(shape)
  }

  private constructor(shape: Shape) {
    const { members, children } = shape
    this.#shape = shape
    this.#ruled = [...members.map((member) => ({ ...member, members: [] })), ...children]
      .map(({ name, rule, members: own }) => ({ name, rule, members: own.filter(isRuled) }))
      .filter((ruled) => isRuled(ruled) || ruled.members.length > 0)
    this.#hides = this.#ruled.some((each) =>
      [each, ...each.members].some(({ rule }) => rule.read !== undefined),
    )
  }

  /**
   * @param row whether the caller writes a new row
   * @throws ServiceError `forbidden` for a member that the caller does not write
   */
  requireWritable(reach: RowReach | null, input: Values, row: 'new' | 'stored'): void {
    if (reach === null) return
    for (const { name, rule, members } of this.#ruled) {
      const value = input[name]
      if (value === undefined) continue
      requireWrite(name, rule, reach)
      for (const inner of members) {
        const isGiven =
          row === 'stored' ||
          (Array.isArray(value) && value.some((each: Values) => each[inner.name] !== undefined))
        // A list is written as a whole: what the caller does not write of its rows would be lost.
        if (isGiven) requireWrite(`${name}.${inner.name}`, inner.rule, reach)
      }
    }
  }

  /** @param given with ids as they are stored @throws ServiceError `invalid` for another value than the row has */
  requireSame(reach: RowReach | null, given: Values, before: Values): void {
    if (reach === null) return
    for (const { name, rule } of this.#ruled) {
      if (rule.write !== 'once' || given[name] === undefined) continue
      if (JSON.stringify(given[name]) !== JSON.stringify(before[name]))
        throw invalidField(name, 'is given once, with the new row', 'fixed')
    }
  }

  /** Whether the row keeps its value of the member when the caller replaces the row. */
  keeps(reach: RowReach | null, name: string): boolean {
    const found = reach === null ? undefined : this.#ruled.find((each) => each.name === name)
    if (found === undefined || reach === null) return false
    const permissions = permissionsOf(reach)
    return (
      found.rule.write === 'once' ||
      [found, ...found.members].some(({ rule }) => !mayWrite(rule, permissions))
    )
  }

  /** @throws ServiceError `invalid` for a required member that the caller left out and that code has not set */
  requireComplete(row: Values): void {
    requireValues(this.#shape.members, row, '')
    for (const { name, members } of this.#shape.children)
      for (const [index, each] of ((row[name] ?? []) as Values[]).entries()) // a list by its schema
        requireValues(members, each, `${name}.${index}.`)
  }

  reads(reach: RowReach | null, name: string): boolean {
    const found = this.#ruled.find((each) => each.name === name)
    return reach === null || found === undefined || mayRead(found.rule, permissionsOf(reach))
  }

  /** @returns the row without the members that the caller may not read */
  shown(reach: RowReach | null, row: StoredRow): StoredRow {
    if (reach === null || !this.#hides) return row
    const permissions = permissionsOf(reach)
    const seen: StoredRow = { ...row, [viewOf]: this.view(reach) ?? '' }
    for (const { name, rule, members } of this.#ruled) {
      const hidden = members.filter((inner) => !mayRead(inner.rule, permissions)).map((inner) => inner.name)
      const value = seen[name]
      if (!mayRead(rule, permissions)) delete seen[name]
      else if (hidden.length > 0 && Array.isArray(value))
        seen[name] = value.map((each: Values) => without(each, hidden))
    }
    return seen
  }

  /** A part of entity tags that differs between callers who read different members; `undefined` if all read all. */
  view(reach: RowReach | null): string | undefined {
    if (reach === null || !this.#hides) return undefined
    const permissions = permissionsOf(reach)
    const read = this.#ruled.flatMap((each) =>
      [each, ...each.members]
        .filter(({ rule }) => mayRead(rule, permissions))
        .map(({ name }) => `${each.name}.${name}`),
    )
    const names = read.join()
    let view = this.#views.get(names)
    if (view === undefined) {
      view = hash('sha256', names, 'hex').slice(0, 8)
      this.#views.set(names, view)
    }
    return view
  }
}

function isRuled({ rule }: Pick<Member | Child, 'rule'>): boolean {
  return rule !== noRule
}

function permissionsOf(reach: RowReach) {
  return { has: (permission: string) => reach.may(permission) }
}

function requireWrite(path: string, rule: FieldRule, reach: RowReach): void {
  if (mayWrite(rule, permissionsOf(reach))) return
  const { read, write } = rule
  if (write === 'never') throw refusal('fieldNotWritable', { field: path })
  const lacking = [read, write].find((each) => each !== undefined && isPermission(each) && !reach.may(each))
  throw refusal('fieldPermissionLacking', { field: path, permission: String(lacking) })
}

function requireValues(members: readonly Member[], row: Values, path: string): void {
  for (const member of members) {
    const { name, spec } = member
    if (
      spec.presence === 'required' &&
      !spec.isNullable &&
      mayBeLeftOut(member) &&
      (row[name] ?? null) === null
    )
      throw invalidField(`${path}${name}`, 'is required', 'required')
  }
}

function without(row: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
}
