/**
 * Rules that say which rows of a table a caller reaches. The scope adds them to every statement of the caller on the table,
 * where it adds the tenant.
 */

/** What rules compare of a caller. A value that the caller does not have is an empty list. */
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

/** `keep`: of a row that was written. */
export type RowOperation = 'read' | 'create' | 'update' | 'delete' | 'keep'

/** A condition on a row. NULL meets none. */
export type RowCondition =
  | { kind: 'any' | 'all'; parts: readonly RowCondition[] }
  /** Decided before the statement. */
  | {
      kind: 'caller'
      holds: (caller: RuleCaller) => boolean
      /** The attribute that it asks for. */
      attribute?: string
      /** The permission that it asks for. */
      permission?: string
    }
  /** The column has one of the values. */
  | {
      kind: 'value'
      column: string
      type: ColumnType
      of: (caller: RuleCaller) => readonly string[]
      /** The attribute of which they are the values. */
      attribute?: string
    }
  /** The column has a value of the rows of another table that name the caller. */
  | { kind: 'membership'; column: string; of: Membership }
  /** The row that the column refers to meets the condition. */
  | { kind: 'referred'; column: string; table: string; condition: RowCondition }
  /** The caller reaches the row that the column refers to, by the rules of its table. */
  | { kind: 'like'; column: string; table: string }
  /** A row of another table names this one, and the caller reads that row. */
  | { kind: 'named'; by: Naming }
  /** No row names this one. */
  | { kind: 'unnamed'; by: readonly Naming[] }

export type ColumnType = 'uuid' | 'text'

export interface Membership {
  table: string
  userColumn: string
  valueColumn: string
}

/** A column with the ids of rows of another table. */
export interface Naming {
  table: string
  column: string
  /** The row that rows of a list belong to, whose rules are theirs. */
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
  /** Whoever has this permission reaches every row. */
  all: string
  /** An operation without a condition is refused, but to holders of `all`. */
  operations: Partial<Record<RowOperation, RowCondition>>
  /** Conditions by action. An action without a condition has that of `update`. */
  actions?: Readonly<Record<string, RowCondition>>
  /** Absent for rows that have no records. */
  audited?: AuditedRows
}

export function conditionsOf({ operations, actions = {} }: TableRules): RowCondition[] {
  return [...Object.values(operations), ...Object.values(actions)]
}

/** Whether the caller and the values of a row decide the condition. Otherwise the database is asked. */
export function isDecidedByValues(condition: RowCondition): boolean {
  if (condition.kind === 'any' || condition.kind === 'all') return condition.parts.every(isDecidedByValues)
  return condition.kind === 'caller' || condition.kind === 'value'
}

/** The rules by table. */
export type RowRules = ReadonlyMap<string, TableRules>

/** Kept, because statements are kept by the rules. */
const whileActing = new WeakMap<RowRules, Map<string, RowRules>>()

/** @returns the rules while a caller does an action: its condition is that of `update` */
export function rulesWhileActing(rules: RowRules, table: string, action: string): RowRules {
  const stated = rules.get(table)
  const update = stated?.actions?.[action]
  if (stated === undefined || update === undefined) return rules
  const known = whileActing.get(rules) ?? new Map<string, RowRules>()
  whileActing.set(rules, known)
  const key = `${table}/${action}`
  let made = known.get(key)
  if (made === undefined) {
    made = new Map([...rules, [table, { ...stated, operations: { ...stated.operations, update } }]])
    known.set(key, made)
  }
  return made
}

/** A condition of which everything is decided that the caller decides. */
export type Decided = true | false | DecidedCondition
export type DecidedCondition =
  | { kind: 'any' | 'all'; parts: readonly DecidedCondition[] }
  | { kind: 'value'; column: string; type: ColumnType; name: string; values: 'one' | 'few' | 'many' }
  | { kind: 'membership'; column: string; of: Membership; name: string }
  | { kind: 'referred'; column: string; table: string; condition: Decided }
  | { kind: 'named'; by: Naming; condition: Decided }
  | { kind: 'unnamed'; by: readonly Naming[] }

/** The placeholder, or the value, of a value of the rule. */
export type ValueOf = (name: string) => unknown
