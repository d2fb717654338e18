/**
 * Rules that say which rows of a table a caller reaches. The scope adds them to every statement of the caller on the table,
 * where it adds the tenant.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './executor.ts'

const tenantColumn = 'tenant_id'

/** What rules ask of a caller. Whatever a caller does not have is an empty list. */
export interface RuleCaller {
  /** Of the user; `null` for anybody else. */
  readonly id: string | null
  /** The values of an attribute of the caller. */
  attribute(name: string): readonly string[]
  may(permission: string): boolean
}

/** `keep`: of a row that was written. */
export type RowOperation = 'read' | 'create' | 'update' | 'delete' | 'keep'

/** A condition on a row. NULL meets none. */
export type RowCondition =
  | { kind: 'any' | 'all'; parts: readonly RowCondition[] }
  /** Decided before the statement. */
  | { kind: 'caller'; permission: string }
  /** The column has one of the values. */
  | { kind: 'value'; column: string; type: ColumnType; of: (caller: RuleCaller) => readonly string[] }
  /** The column has a value of the rows of another table that name the caller. */
  | { kind: 'membership'; column: string; of: Membership }
  /** The row that the column refers to meets the condition. */
  | { kind: 'referred'; column: string; table: string; condition: RowCondition }
  /** The caller reaches the row that the column refers to, by the rules of its table. */
  | { kind: 'like'; column: string; table: string }

export type ColumnType = 'uuid' | 'text'

export interface Membership {
  table: string
  /** The column that names the user. */
  userColumn: string
  valueColumn: string
}

export interface TableRules {
  /** Whoever has this permission reaches every row. */
  all: string
  /** An operation without a condition is refused, but to holders of `all`. */
  operations: Partial<Record<RowOperation, RowCondition>>
}

/** By table. */
export type RowRules = ReadonlyMap<string, TableRules>

/** A condition of which everything is decided that the caller decides. */
type Decided = true | false | DecidedCondition
type DecidedCondition =
  | { kind: 'any' | 'all'; parts: readonly DecidedCondition[] }
  | { kind: 'value'; column: string; type: ColumnType; name: string; isOne: boolean }
  | { kind: 'membership'; column: string; of: Membership; name: string }
  | { kind: 'referred'; column: string; table: string; condition: Decided }

/** The placeholder, or the value, of a value of the rule. */
export type ValueOf = (name: string) => unknown

/** What one caller reaches, decided once. */
export class RowReach {
  /** Whether any table has members that not every caller reads. */
  readonly hidesMembers: boolean
  readonly #rules: RowRules
  readonly #caller: RuleCaller
  readonly #decided = new Map<string, Decided>()
  readonly #values = new Map<string, unknown>()

  constructor(rules: RowRules, caller: RuleCaller, hidesMembers = false) {
    this.#rules = rules
    this.#caller = caller
    this.hidesMembers = hidesMembers
  }

  may(permission: string): boolean {
    return this.#caller.may(permission)
  }

  /** Statements are kept by it. */
  get rules(): RowRules {
    return this.#rules
  }

  restricts(table: string): boolean {
    return this.#rules.has(table)
  }

  /** Whether the caller reads every row of the table. */
  readsAll(table: string): boolean {
    return this.#decision(table, 'read') === true
  }

  /** Whether the caller may reach some rows for the operation. */
  mayReach(table: string, operation: RowOperation): boolean {
    return this.#decision(table, operation) !== false
  }

  /** One text for all callers whose statements have the same SQL. */
  pattern(table: string): string {
    return operations.map((operation) => patternOf(this.#decision(table, operation))).join('/')
  }

  /** @param alias of the table @returns `null` if the caller reaches every row */
  condition(
    table: string,
    operation: RowOperation,
    { alias, ...rendering }: { alias: string } & Omit<Rendering, 'depth'>,
  ): RawBuilder<SqlBool> | null {
    const decided = this.#decision(table, operation)
    return decided === true ? null : rendered(decided, alias, { ...rendering, depth: 0 })
  }

  /** As the database takes it. */
  value(name: string, dialect: Dialect): unknown {
    const values = this.#values.get(name)
    return Array.isArray(values) && dialect === 'sqlite' ? JSON.stringify(values) : values
  }

  #decision(table: string, operation: RowOperation): Decided {
    const key = `${table}/${operation}`
    let decided = this.#decided.get(key)
    if (decided === undefined) {
      decided = this.#decide(table, operation, key)
      this.#decided.set(key, decided)
    }
    return decided
  }

  #decide(table: string, operation: RowOperation, key: string): Decided {
    const rules = this.#rules.get(table)
    if (rules === undefined || this.#caller.may(rules.all)) return true
    const condition = rules.operations[operation]
    if (condition !== undefined) return this.#settled(condition, operation, key)
    if (operation !== 'keep') return false
    const parts = (['read', 'update'] as const).map((each) => this.#decide(table, each, `${key}.${each}`))
    return joined('all', parts)
  }

  /** @param place names the values of the condition */
  #settled(condition: RowCondition, operation: RowOperation, place: string): Decided {
    switch (condition.kind) {
      case 'any':
      case 'all':
        return joined(
          condition.kind,
          condition.parts.map((part, index) => this.#settled(part, operation, `${place}.${index}`)),
        )
      case 'caller':
        return this.#caller.may(condition.permission)
      case 'value': {
        const values = condition.of(this.#caller)
        const [only] = values
        if (only === undefined) return false
        const isOne = values.length === 1
        this.#values.set(place, isOne ? only : values)
        return { kind: 'value', column: condition.column, type: condition.type, name: place, isOne }
      }
      case 'membership':
        if (this.#caller.id === null) return false
        this.#values.set(place, this.#caller.id)
        return { kind: 'membership', column: condition.column, of: condition.of, name: place }
      case 'referred': {
        const inner = this.#settled(condition.condition, operation, `${place}.0`)
        return inner === false ? false : { ...condition, condition: inner }
      }
      case 'like': {
        // Whoever changes a row that follows its parent has to reach that for a change.
        const inner = this.#decideLike(condition.table, operation, `${place}.0`)
        return inner === false ? false : { ...condition, kind: 'referred', condition: inner }
      }
    }
  }

  #decideLike(table: string, operation: RowOperation, place: string): Decided {
    return this.#decide(table, operation === 'read' ? 'read' : 'update', place)
  }
}

const operations: readonly RowOperation[] = ['read', 'create', 'update', 'delete', 'keep']

function joined(kind: 'any' | 'all', parts: readonly Decided[]): Decided {
  const settles = kind === 'any'
  if (parts.includes(settles)) return settles
  const left = parts.filter((part): part is DecidedCondition => typeof part !== 'boolean')
  const [only] = left
  if (only === undefined) return !settles
  return left.length === 1 ? only : { kind, parts: left }
}

function patternOf(decided: Decided): string {
  if (typeof decided === 'boolean') return decided ? '1' : '0'
  switch (decided.kind) {
    case 'any':
    case 'all':
      return `${decided.kind}(${decided.parts.map(patternOf).join()})`
    case 'value':
      return `${decided.name}${decided.isOne ? '=' : ' in'}`
    case 'membership':
      return decided.name
    case 'referred':
      return `${decided.column}(${patternOf(decided.condition)})`
  }
}

interface Rendering {
  dialect: Dialect
  /** The tenant's id, or its placeholder. */
  tenant: unknown
  placeholderOf: ValueOf
  depth: number
}

function rendered(decided: Decided, alias: string, rendering: Rendering): RawBuilder<SqlBool> {
  if (typeof decided === 'boolean') return decided ? sql`1 = 1` : sql`1 = 0`
  const { dialect, tenant, placeholderOf } = rendering
  const column = (name: string, of = alias) => sql.ref(`${of}.${name}`)
  switch (decided.kind) {
    case 'any':
    case 'all':
      return sql`(${sql.join(
        decided.parts.map((part) => rendered(part, alias, rendering)),
        decided.kind === 'any' ? sql` or ` : sql` and `,
      )})`
    case 'value': {
      const value = placeholderOf(decided.name)
      if (decided.isOne) return sql`${column(decided.column)} = ${value}`
      return dialect === 'sqlite'
        ? sql`${column(decided.column)} in (select value from json_each(${value}))`
        : sql`${column(decided.column)} = any(cast(${value} as ${sql.raw(`${decided.type}[]`)}))`
    }
    case 'membership': {
      const { table, userColumn, valueColumn } = decided.of
      const own = sql`${column(tenantColumn, 'm')} = ${tenant} and ${column(userColumn, 'm')} = ${placeholderOf(decided.name)}`
      return sql`${column(decided.column)} in (select ${column(valueColumn, 'm')} from ${sql.table(table)} as m where ${own})`
    }
    case 'referred': {
      const inner = `referred${rendering.depth}`
      const condition = rendered(decided.condition, inner, { ...rendering, depth: rendering.depth + 1 })
      const found = sql`${column(tenantColumn, inner)} = ${tenant} and ${column('id', inner)} = ${column(decided.column)}`
      return sql`exists (select 1 from ${sql.table(decided.table)} as ${sql.id(inner)} where ${found} and ${condition})`
    }
  }
}
