/**
 * Access rules of tables: which rows a caller may read and change ("reach"). Their conditions are added to every
 * statement of the caller on the table, beside the condition on the tenant.
 */

/** The properties of a caller that rules compare. A value that the caller does not have is an empty list. */
export interface RuleCaller {
  /** The id of the user; `null` for anybody else. */
  readonly id: string | null
  /** The id of the user or the API key; `null` for anybody else. */
  readonly actorId: string | null
  /** The customer of the tenant for whom a webhook portal is open; `null` elsewhere. */
  readonly customer: string | null
  /** The values of an attribute of the caller. */
  attribute(name: string): readonly string[]
  may(permission: string): boolean
}

/**
 * `keep` is tested on a row after it was written: without a rule of its own, the caller must still read and update
 * it.
 */
export type RowOperation = 'read' | 'create' | 'update' | 'delete' | 'keep'

/** A condition on a row. NULL meets none. */
export type RowCondition =
  | { kind: 'any' | 'all'; parts: readonly RowCondition[] }
  /** A fact about the caller, which is decided before the statement runs. */
  | {
      kind: 'caller'
      holds: (caller: RuleCaller) => boolean
      /** The attribute of the caller that `holds` tests. */
      attribute?: string
      /** The permission of the caller that `holds` tests. */
      permission?: string
    }
  /** The column has one of the values. */
  | {
      kind: 'value'
      column: string
      type: ColumnType
      of: (caller: RuleCaller) => readonly string[]
      /** The attribute of the caller that has the values. */
      attribute?: string
    }
  /** The column has a value of the rows of another table that name the caller. */
  | { kind: 'membership'; column: string; of: Membership }
  /** The row that the column refers to meets the condition. */
  | { kind: 'referred'; column: string; table: string; condition: RowCondition }
  /** The caller may access the row that the column refers to, by the rules of that table. */
  | { kind: 'like'; column: string; table: string }
  /** A row of another table names this one, and the caller reads that row. */
  | { kind: 'named'; by: Naming }
  /** No row names this one. */
  | { kind: 'unnamed'; by: readonly Naming[] }

export type ColumnType = 'uuid' | 'text'

/** A table whose rows each connect a user with a value, such as the members of a team with its id. */
export interface Membership {
  table: string
  userColumn: string
  valueColumn: string
}

/** A column with the ids of rows of another table. */
export interface Naming {
  table: string
  column: string
  /** For the rows of a list inside another row: that row, whose rules apply to them. */
  parent: { table: string; column: string } | null
}

/**
 * The kind under which the audit records the rows of a table, and the permissions that let somebody read any of them.
 */
export interface AuditedRows {
  subject: string
  /** Permissions of which a reader needs one; `null` for none. */
  readers: readonly string[] | null
}

export interface TableRules {
  /** The permission to read and change every row, whatever the conditions say. */
  all: string
  /** The conditions by operation. Without a condition, only callers with the permission `all` may do the operation. */
  operations: Partial<Record<RowOperation, RowCondition>>
  /** Conditions by action. An action without a condition has that of `update`. */
  actions?: Readonly<Record<string, RowCondition>>
  /** Absent for rows that have no records. */
  audited?: AuditedRows
}

export function conditionsOf({ operations, actions = {} }: TableRules): RowCondition[] {
  return [...Object.values(operations), ...Object.values(actions)]
}

/** Whether the caller and the row's own values decide the condition. Otherwise the database has to be asked. */
export function isDecidedByValues(condition: RowCondition): boolean {
  if (condition.kind === 'any' || condition.kind === 'all') return condition.parts.every(isDecidedByValues)
  return condition.kind === 'caller' || condition.kind === 'value'
}

/** The rules by table. */
export type RowRules = ReadonlyMap<string, TableRules>

/** The rules during actions. They are kept, because compiled statements are kept for each set of rules. */
const rulesByAction = new WeakMap<RowRules, Map<string, RowRules>>()

/** @returns the rules that apply during an action: the condition of the action takes the place of that of `update` */
export function rulesWhileActing(rules: RowRules, table: string, action: string): RowRules {
  const stated = rules.get(table)
  const update = stated?.actions?.[action]
  if (stated === undefined || update === undefined) return rules
  const known = rulesByAction.get(rules) ?? new Map<string, RowRules>()
  rulesByAction.set(rules, known)
  const key = `${table}/${action}`
  let made = known.get(key)
  if (made === undefined) {
    made = new Map([...rules, [table, { ...stated, operations: { ...stated.operations, update } }]])
    known.set(key, made)
  }
  return made
}

/** What remains of a condition when the facts about the caller are decided; `true` or `false` if nothing remains. */
export type Decided = true | false | DecidedCondition
export type DecidedCondition =
  | { kind: 'any' | 'all'; parts: readonly DecidedCondition[] }
  | { kind: 'value'; column: string; type: ColumnType; name: string; values: 'one' | 'few' | 'many' }
  | { kind: 'membership'; column: string; of: Membership; name: string }
  | { kind: 'referred'; column: string; table: string; condition: Decided }
  | { kind: 'named'; by: Naming; condition: Decided }
  | { kind: 'unnamed'; by: readonly Naming[] }

/** Finds the placeholder, or the value, by the name of a value in a rule. */
export type ValueOf = (name: string) => unknown
