/**
 * The language of rules of rows: `rows: ({ row, actor }) => any(row.assignee.is(actor.id), …)`. A rule runs once, at the
 * start, with placeholders for the row and the caller; what it returns becomes a part of every statement.
 */
import type { Permission } from '../core/permission.ts'
import type { RowCondition, RowOperation, RuleCaller, TableRules } from '../database/row-rule.ts'
import type { Member } from './definition.ts'
import type { AnyField, Fields } from './field.ts'
import type { RulePlace } from './rule-place.ts'

/** A condition on a row, made by `is`, `in`, `any`, `all`, `like` and `actor.may`. */
export class RowRule {
  /** @param place resolves names for the entity with the rule @returns the condition on columns of its table */
  readonly resolve: (place: RulePlace) => RowCondition

  constructor(resolve: (place: RulePlace) => RowCondition) {
    this.resolve = resolve
  }
}

/** States explicitly what holds without row rules: everybody with the permission reaches every row. */
export const everyRow = new RowRule(() => ({ kind: 'caller', holds: () => true }))

/** Holds if one of the rules holds. Without any rule, no row is reached. */
export function any(...rules: readonly RowRule[]): RowRule {
  return combined('any', rules)
}

/** Holds if all of the rules hold. */
export function all(...rules: readonly [RowRule, ...RowRule[]]): RowRule {
  return combined('all', rules)
}

function combined(kind: 'any' | 'all', rules: readonly RowRule[]): RowRule {
  return new RowRule((place) => ({ kind, parts: rules.map((rule) => rule.resolve(place)) }))
}

/**
 * Holds if the caller reaches the row that a reference names. As a rule for reading, the caller must be permitted to
 * read that row; as any other rule, to change it.
 * @param field a reference to an entity with rules of its own
 */
export function like(field: string): RowRule {
  return new RowRule((place) => {
    const { column, target } = place.reference(field)
    if (target.rules() === null)
      throw place.fault(`like('${field}'): ${target.names.name} has no rules of rows.`)
    return { kind: 'like', column, table: target.names.table }
  })
}

/** A value that rules compare with. */
export type CallerValue =
  | {
      readonly kind: 'values'
      /** The values of a caller. */
      readonly of: (caller: RuleCaller) => readonly string[]
      /** The values if the rule itself has them, so that they do not depend on the caller. */
      readonly texts?: readonly string[]
      readonly attribute?: string
    }
  | { readonly kind: 'via'; readonly entity: RuledEntity; readonly user: string; readonly value: string }

/** A member of the row. */
export interface RuledMember {
  /** Holds if the member equals this text, or the value of the caller; never for a caller without a value. */
  is(value: CallerValue | string): RowRule
  /** Holds if the member equals one of the values of the caller, or of these texts. */
  in(values: CallerValue | readonly string[]): RowRule
}

/** The caller, in a rule. */
export interface RuleActor {
  /** The id of a signed-in user; API keys and anonymous callers have none. */
  readonly id: CallerValue
  /**
   * The customer of a webhook portal, as a text; absent for everybody else. It says which events of rows are sent to the
   * subscriptions of a customer.
   */
  readonly customer: CallerValue
  /** The values of an attribute of the user or the API key: one of a text, each of a list. */
  claims(attribute: string): CallerValue
  /** A rule that holds if the boolean attribute of the caller is true. */
  has(attribute: string): RowRule
  /**
   * The values in the rows of another entity that name the user, such as its teams by `teamMember`.
   * @param user the field that names the user @param value the field with the value
   */
  via(entity: RuledEntity, user: string, value: string): CallerValue
  /** A rule that holds if the caller has the permission. */
  may(permission: Permission): RowRule
}

export type RuledRow<F extends Fields> = { readonly [N in keyof F & string]: RuledMember } & {
  /** A member of a row that a reference names: `customer.owner`. */
  at(path: string): RuledMember
}

export type RuleOfRows<F extends Fields> = (given: { row: RuledRow<F>; actor: RuleActor }) => RowRule

/** The rules of each operation. An operation that is not named is refused, but to holders of `all`. */
export interface RulesOfOperations<F extends Fields> {
  read?: RuleOfRows<F> | RowRule
  create?: RuleOfRows<F> | RowRule
  update?: RuleOfRows<F> | RowRule
  delete?: RuleOfRows<F> | RowRule
  /** Holds for a row that was written; `read` and `update` by default. */
  keep?: RuleOfRows<F> | RowRule
}

/** @typeParam A the names of actions, which have the rule of `update` unless they have one of their own */
export type RulesOfRows<F extends Fields, A extends string = never> = RulesOfOperations<F> & {
  [N in Exclude<A, RowOperation>]?: RuleOfRows<F> | RowRule
}

/** The parts of an entity with rules of rows that other definitions use. */
export interface RuledEntity {
  readonly name: string
  readonly ruled: RulePlace
}

/** Whether the rules have a `keep`. Without it, a writer must be permitted to read and change the row as written. */
export function statesKeep(rows: unknown): boolean {
  return hasRuleByOperation(rows) && 'keep' in rows && rows.keep !== undefined
}

/** Whether each operation has a rule of its own, so that not every row that is read may be changed. */
export function hasRuleByOperation(rows: unknown): rows is object {
  return typeof rows === 'object' && rows !== null && !(rows instanceof RowRule)
}

type AnyRule = RuleOfRows<Record<string, AnyField>> | RowRule

const operations: readonly RowOperation[] = ['read', 'create', 'update', 'delete', 'keep']

function isOperation(name: string): boolean {
  return operations.some((operation) => operation === name)
}

interface RuleOptions {
  /** The permission whose holders no rule restricts. */
  all: string
  /** The names of the entity's actions. */
  actions: readonly string[]
}

/** @param given the option `rows` @returns what reads it: names may refer to entities that are declared later */
export function rulesOf(
  given: unknown,
  { all: reachesAll, actions }: RuleOptions,
): (place: RulePlace) => TableRules {
  const isOneRule = typeof given === 'function' || given instanceof RowRule
  const stated = isOneRule
    ? Object.fromEntries(operations.map((operation) => [operation, given as AnyRule]))
    : (given as Partial<Record<string, AnyRule>>) // by its type
  return (place) => {
    const unknown = Object.keys(stated).find((name) => !isOperation(name) && !actions.includes(name))
    if (unknown !== undefined) throw place.fault(`there is no operation and no action ${unknown}.`)
    // By default a new row has to be one that its creator may change.
    if (stated['create'] !== undefined && stated['keep'] === undefined && stated['update'] === undefined)
      throw place.fault('create needs update or keep: otherwise nobody may create a row.')
    const conditions = Object.entries(stated).flatMap(([name, rule]) =>
      rule === undefined ? [] : [[name, conditionOf(rule, place)] as const],
    )
    return {
      all: reachesAll,
      operations: Object.fromEntries(conditions.filter(([name]) => isOperation(name))),
      actions: Object.fromEntries(conditions.filter(([name]) => !isOperation(name))),
    }
  }
}

function conditionOf(rule: AnyRule, place: RulePlace): RowCondition {
  return (rule instanceof RowRule ? rule : rule({ row: rowOfRule(), actor })).resolve(place)
}

function rowOfRule(): never {
  const at = (path: string) => memberAt(path.split('.'))
  const row = new Proxy({ at }, { get: (known, name) => (name === 'at' ? known.at : at(String(name))) })
  return row as never // every field is a member
}

const actor: RuleActor = {
  id: { kind: 'values', of: ({ id }) => (id === null ? [] : [id]) },
  customer: { kind: 'values', of: ({ customer }) => (customer === null ? [] : [customer]) },
  claims: (attribute) => ({ kind: 'values', of: (caller) => caller.attribute(attribute), attribute }),
  has: (attribute) => {
    const holds = (caller: RuleCaller) => caller.attribute(attribute).includes('true')
    return new RowRule(() => ({ kind: 'caller', holds, attribute }))
  },
  via: (entity, user, value) => ({ kind: 'via', entity, user, value }),
  may: (permission) =>
    new RowRule(() => ({ kind: 'caller', permission, holds: (caller) => caller.may(permission) })),
}

function memberAt(path: readonly string[]): RuledMember {
  const matches = (value: CallerValue) => new RowRule((place) => conditionAt(place, path, value))
  return {
    is: (value) => matches(typeof value === 'string' ? textsOf([value]) : value),
    in: (values) => matches('kind' in values ? values : textsOf(values)),
  }
}

function textsOf(texts: readonly string[]): CallerValue {
  return { kind: 'values', of: () => texts, texts }
}

function conditionAt(
  place: RulePlace,
  [field = '', ...rest]: readonly string[],
  value: CallerValue,
): RowCondition {
  if (rest.length > 0) {
    const { column, target } = place.reference(field)
    return {
      kind: 'referred',
      column,
      table: target.names.table,
      condition: conditionAt(target, rest, value),
    }
  }
  const { column, type, spec } = place.member(field)
  if (value.kind === 'values') {
    const { of, attribute, texts = [] } = value
    requireTexts(place, { field, spec }, texts)
    return { kind: 'value', column, type, of, ...(attribute !== undefined && { attribute }) }
  }
  const { ruled } = value.entity
  const [user, wanted] = [ruled.member(value.user), ruled.member(value.value)]
  if (wanted.type !== type)
    throw place.fault(`${field} and ${ruled.names.name}.${value.value} are of unlike types.`)
  return {
    kind: 'membership',
    column,
    of: { table: ruled.names.table, userColumn: user.column, valueColumn: wanted.column },
  }
}

function requireTexts(
  place: RulePlace,
  { field, spec: { kind, values } }: Pick<Member, 'field' | 'spec'>,
  texts: readonly string[],
): void {
  const wrong = texts.find((text) => (kind === 'enum' ? values?.includes(text) !== true : kind !== 'text'))
  if (wrong !== undefined) throw place.fault(`${field} is never ${JSON.stringify(wrong)}.`)
}
