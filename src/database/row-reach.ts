/** The access of one caller to rows: what the access rules of tables let the caller read and change. */
import type { RawBuilder, SqlBool } from 'kysely'
import type { Dialect } from './executor.ts'
import { listText } from './list-text.ts'
import { type ConditionRendering, rendered } from './row-condition.ts'
import { columnsIn, namesIn, patternOf, type Reference, referencesIn } from './row-decided.ts'
import { maxSeparateValues } from './row-page.ts'
import {
  type ColumnType,
  type Decided,
  type DecidedCondition,
  type Naming,
  type RowCondition,
  type RowOperation,
  type RowRules,
  type RuleCaller,
  rulesWhileActing,
} from './row-rule.ts'

/** No permission has this name. */
const noPermission = ''

/**
 * The access of one caller ("reach"). What a rule asks of the caller alone is decided once; what the rule asks of the
 * row remains as a condition for SQL.
 */
export class RowReach {
  /** Whether any table has members that not every caller reads. */
  readonly hidesMembers: boolean
  readonly #rules: RowRules
  readonly caller: RuleCaller
  readonly #decisions = new Map<string, Decided>()
  readonly #values = new Map<string, unknown>()

  constructor(rules: RowRules, caller: RuleCaller, hidesMembers = false) {
    this.#rules = rules
    this.caller = caller
    this.hidesMembers = hidesMembers
  }

  may(permission: string): boolean {
    return this.caller.may(permission)
  }

  /** The rules themselves, which are the key under which compiled statements are kept. */
  get rules(): RowRules {
    return this.#rules
  }

  restricts(table: string): boolean {
    return this.#rules.has(table)
  }

  /** Whether the caller reads every row of the table. */
  readsAll(table: string): boolean {
    return this.reachesAll(table, 'read')
  }

  /** Whether the caller reaches every row for the operation. */
  reachesAll(table: string, operation: RowOperation): boolean {
    return this.decided(table, operation) === true
  }

  /**
   * The access that the caller would have if the condition were the table's only rule, without exempting
   * permissions.
   */
  within(table: string, operation: RowOperation, condition: RowCondition): RowReach {
    const rules = new Map([
      ...this.#rules,
      [table, { all: noPermission, operations: { [operation]: condition } }],
    ])
    const may = (permission: string) => permission !== noPermission && this.caller.may(permission)
    return new RowReach(rules, { ...this.caller, may })
  }

  /** The caller's access during an action, such as publishing, which may have a rule of its own for changes. */
  acting(table: string, action: string): RowReach {
    const rules = rulesWhileActing(this.#rules, table, action)
    return rules === this.#rules ? this : new RowReach(rules, this.caller, this.hidesMembers)
  }

  /** Whether the caller may reach some rows for the operation. */
  mayReach(table: string, operation: RowOperation): boolean {
    return this.decided(table, operation) !== false
  }

  /** @returns a text that is equal for callers whose statements have the same SQL for the operation */
  pattern({ table, operation }: { table: string; operation: RowOperation }): string {
    return patternOf(this.decided(table, operation))
  }

  /** @param alias of the table @returns `null` if the caller reaches every row */
  condition(
    table: string,
    operation: RowOperation,
    { alias, ...rendering }: { alias: string } & Omit<ConditionRendering, 'depth'>,
  ): RawBuilder<SqlBool> | null {
    const decided = this.decided(table, operation)
    return decided === true ? null : rendered(decided, alias, { ...rendering, depth: 0 })
  }

  /** @returns the value of this name, see `valueNames`, in the form that the statement takes */
  value(name: string, dialect: Dialect): unknown {
    const values = this.#values.get(name)
    return Array.isArray(values) ? listText(values, dialect) : values
  }

  /** @returns a text that is equal for callers who may read the same rows of the table */
  signature(table: string): string {
    const decided = this.decided(table, 'read')
    const values = namesIn(decided).map((name) => this.#values.get(name))
    return `${patternOf(decided)} ${JSON.stringify(values)}`
  }

  /** The names of the values with which the rule for reading compares columns; `value` has the values. */
  valueNames(table: string): string[] {
    return namesIn(this.decided(table, 'read'))
  }

  /** The columns of the table that the rule for reading looks at. */
  columns(table: string): ReadonlySet<string> {
    return new Set(columnsIn(this.decided(table, 'read')))
  }

  /** The references in the table on whose rows the rule for reading depends. */
  references(table: string): readonly Reference[] {
    return referencesIn(this.decided(table, 'read'))
  }

  /**
   * Whether the caller reads a row with these values, without asking the database.
   * @param row by column
   * @returns `null` if only the database knows
   */
  reads(table: string, row: ReadonlyMap<string, unknown>): boolean | null {
    return this.#holds(this.decided(table, 'read'), row)
  }

  /** @returns whether the row meets what remains of a rule; `null` if only the database knows */
  #holds(decided: Decided, row: ReadonlyMap<string, unknown>): boolean | null {
    if (typeof decided === 'boolean') return decided
    switch (decided.kind) {
      case 'any':
      case 'all': {
        const settles = decided.kind === 'any'
        const parts = decided.parts.map((part) => this.#holds(part, row))
        if (parts.includes(settles)) return settles
        return parts.includes(null) ? null : !settles
      }
      case 'value': {
        const value = row.get(decided.column)
        if (value === undefined) return null
        return [this.#values.get(decided.name)].flat().includes(value)
      }
      default:
        return null
    }
  }

  /** @returns what remains of a rule when the facts about the caller are decided */
  decided(table: string, operation: RowOperation): Decided {
    const key = `${table}/${operation}`
    let decided = this.#decisions.get(key)
    if (decided === undefined) {
      decided = this.#decide(table, operation, key)
      this.#decisions.set(key, decided)
    }
    return decided
  }

  #decide(table: string, operation: RowOperation, key: string): Decided {
    const rules = this.#rules.get(table)
    if (rules === undefined || this.caller.may(rules.all)) return true
    const condition = rules.operations[operation]
    if (condition !== undefined) return this.#settled(condition, operation, key)
    if (operation !== 'keep') return false
    const parts = (['read', 'update'] as const).map((each) => this.#decide(table, each, `${key}.${each}`))
    return joined('all', parts)
  }

  /** Decides what the condition asks of the caller. @param place the prefix of the names of its values */
  #settled(condition: RowCondition, operation: RowOperation, place: string): Decided {
    switch (condition.kind) {
      case 'any':
      case 'all':
        return joined(
          condition.kind,
          condition.parts.map((part, index) => this.#settled(part, operation, `${place}.${index}`)),
        )
      case 'caller':
        return condition.holds(this.caller)
      case 'value':
        return this.#settledValue(condition, place)
      case 'membership':
        if (this.caller.id === null) return false
        this.#values.set(place, this.caller.id)
        return { kind: 'membership', column: condition.column, of: condition.of, name: place }
      case 'referred': {
        const inner = this.#settled(condition.condition, operation, `${place}.0`)
        return inner === false ? false : { ...condition, condition: inner }
      }
      case 'like': {
        // Creating, changing or deleting a row that follows its parent requires that the caller may update the parent.
        const inner = this.#decideLike(condition.table, operation, `${place}.0`)
        return inner === false ? false : { ...condition, kind: 'referred', condition: inner }
      }
      case 'named': {
        const inner = this.#decideNaming(condition.by, `${place}.0`)
        return inner === false ? false : { ...condition, condition: inner }
      }
      case 'unnamed':
        return condition
    }
  }

  #settledValue({ of, column, type }: Extract<RowCondition, { kind: 'value' }>, place: string): Decided {
    const values = comparable(of(this.caller), type)
    const [only] = values
    if (only === undefined) return false
    this.#values.set(place, values.length === 1 ? only : values)
    return { kind: 'value', column, type, name: place, values: sizeOf(values) }
  }

  #decideNaming({ table, parent }: Naming, place: string): Decided {
    if (parent === null) return this.#decide(table, 'read', place)
    const inner = this.#decide(parent.table, 'read', place)
    return typeof inner === 'boolean' ? inner : { kind: 'referred', ...parent, condition: inner }
  }

  #decideLike(table: string, operation: RowOperation, place: string): Decided {
    return this.#decide(table, operation === 'read' ? 'read' : 'update', place)
  }
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Drops values that the column cannot have: PostgreSQL refuses to compare an id with a text that is no UUID. */
function comparable(values: readonly string[], type: ColumnType): readonly string[] {
  if (type !== 'uuid' || values.every((value) => uuidPattern.test(value))) return values
  return values.map((value) => value.toLowerCase()).filter((value) => uuidPattern.test(value))
}

function sizeOf({ length }: readonly string[]): 'one' | 'few' | 'many' {
  if (length === 1) return 'one'
  return length <= maxSeparateValues ? 'few' : 'many'
}

function joined(kind: 'any' | 'all', parts: readonly Decided[]): Decided {
  const settles = kind === 'any'
  if (parts.includes(settles)) return settles
  const undecided = parts.filter((part): part is DecidedCondition => typeof part !== 'boolean')
  const [only] = undecided
  if (only === undefined) return !settles
  return undecided.length === 1 ? only : { kind, parts: undecided }
}
