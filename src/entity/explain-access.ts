/** Explains what a user may do with the rows of an entity, or with one of them, and why. */
import type { Context } from '../core/context.ts'
import type { EntityDescription } from '../core/feature/entity-description.ts'
import { mayRead, mayWrite } from '../core/feature/field-rule.ts'
import { noPermission, type Permission, type PermissionSet } from '../core/permission.ts'
import type { TenantData } from '../database/data.ts'
import {
  type Branch,
  type ExplainedStatement,
  explainBranches,
  explainStatement,
  outcomeOf,
  rowToExplain,
} from '../database/row-explain.ts'
import type { RowReach } from '../database/row-reach.ts'
import { isDecidedByValues, type RowOperation, type TableRules } from '../database/row-rule.ts'
import { snakeCase } from '../database/sql-text.ts'

export const explainedOperations = ['read', 'create', 'update', 'delete'] as const
export type ExplainedOperation = (typeof explainedOperations)[number]

/** The names of these operations in the description of an entity. */
const describedOperations = { read: 'get', create: 'create', update: 'change', delete: 'delete' } as const

/** The rules that are conditions of the SQL statement of each operation. */
const statementOf: Record<ExplainedOperation, readonly RowOperation[]> = {
  read: ['read'],
  create: ['create'],
  update: ['read', 'update'],
  delete: ['read', 'delete'],
}

/** The rules that decide each operation, in order. `keep`, a rule for changed rows, is asked of the present row. */
const required: Record<ExplainedOperation, readonly RowOperation[]> = {
  read: ['read'],
  create: ['create', 'keep'],
  update: ['read', 'update', 'keep'],
  delete: ['read', 'delete'],
}

export interface AccessExplanation {
  /** `null` for an operation that callers do not have. */
  permission: { name: string; isHeld: boolean } | null
  /** The permission whose holders no row rule restricts; `null` without row rules. */
  all: { name: string; isHeld: boolean } | null
  /**
   * What decides whether the user receives an event of the row: the values stored with the event, or a query. `null`
   * for an entity without row rules.
   */
  events: 'values' | 'database' | null
  rules: ExplainedRule[]
  /** Members that the user may not read. */
  hidden: string[]
  /** Members that the user may not write. */
  unwritable: string[]
  statement: ExplainedStatement | null
  /** What the service answers; `null` where it depends on a row and none is named. */
  answer: 'allowed' | 'forbidden' | 'notFound' | null
}

export interface ExplainedRule {
  operation: RowOperation
  /** The action whose rule replaces the rule of `update`. */
  action: string | null
  /** Whether the definition has a rule for the operation. */
  isStated: boolean
  /** `null` where it depends on a row and none is named. */
  holds: boolean | null
  branches: ExplainedBranch[]
}

export interface ExplainedBranch extends Branch {
  /** The value of the row in the column of the branch. With `isHidden` instead, the user may not read it. */
  value?: unknown
  isHidden?: boolean
}

interface ExplainRequest {
  entity: EntityDescription
  table: string
  operation: ExplainedOperation
  /** The name of an action of the entity, which is an `update`. */
  action: string | null
  id: string | null
}

/** @param caller a context of the user @param tenant a context that reaches every row of the tenant */
export async function explainAccess(
  caller: Context,
  tenant: Context,
  { entity, table, operation, action, id }: ExplainRequest,
): Promise<AccessExplanation> {
  const { shared, actor, data } = caller
  const permissions = actor?.permissions ?? noPermission
  const fields = shared.fieldRules.get(entity.name) ?? new Map()
  const hidden = [...fields].filter(([, rule]) => !mayRead(rule, permissions)).map(([name]) => name)
  const unwritable = [...fields].filter(([, rule]) => !mayWrite(rule, permissions)).map(([name]) => name)
  const requested =
    entity.actions.find(({ name }) => name === action) ?? entity.operations[describedOperations[operation]]
  const permission = requested === undefined ? null : permissionIn(permissions, requested.access)
  const row = id === null ? null : await rowToExplain(tenant.data, table, id)
  const known = { permission, hidden, unwritable }
  const reach = actingReach(data.reach, table, action) // what the rules grant the caller
  const tableRules = reach?.rules.get(table)
  if (tableRules === undefined || reach === null) {
    const answer = answerOf(permission, {
      isMissing: id !== null && row === null,
      holds: () => true,
      operation,
    })
    return { ...known, all: null, events: null, rules: [], statement: null, answer }
  }
  // `RowReach.acting` returns another reach only for an action that has a rule of its own.
  const actionWithRule = reach === data.reach ? null : action
  const rules = await explainRules(tenant.data, reach, {
    table,
    operation,
    id,
    row,
    hidden,
    action: actionWithRule,
  })
  const holds = (wanted: RowOperation) => rules.find((rule) => rule.operation === wanted)?.holds ?? null
  return {
    ...known,
    all: { name: tableRules.all, isHeld: holdsPermission(permissions, tableRules.all) },
    events: eventDecisionOf(tableRules),
    rules,
    statement: await explainStatement(tenant.data, reach, { table, operations: statementOf[operation], id }),
    answer: answerOf(permission, { isMissing: id !== null && row === null, holds, operation }),
  }
}

interface RulesRequest extends Omit<ExplainRequest, 'entity'> {
  row: Readonly<Record<string, unknown>> | null
  hidden: readonly string[]
}

async function explainRules(
  data: TenantData,
  reach: RowReach,
  { table, operation, action, id, row, hidden }: RulesRequest,
): Promise<ExplainedRule[]> {
  const hiddenColumns = new Set(hidden.map(snakeCase))
  const rules: ExplainedRule[] = []
  for (const each of required[operation]) {
    const about = { table, operation: each, id: row === null ? null : id }
    const branches = await explainBranches(data, reach, about)
    rules.push({
      operation: each,
      action: each === 'update' ? action : null,
      isStated: reach.rules.get(table)?.operations[each] !== undefined,
      holds: await outcomeOf(data, reach, about),
      branches: branches.map((branch) => withValue(branch, row, hiddenColumns)),
    })
  }
  return rules
}

function eventDecisionOf({ operations: { read } }: TableRules): AccessExplanation['events'] {
  return read === undefined || isDecidedByValues(read) ? 'values' : 'database'
}

function actingReach(reach: RowReach | null, table: string, action: string | null): RowReach | null {
  return reach === null || action === null ? reach : reach.acting(table, action)
}

function permissionIn(permissions: PermissionSet, access: string): AccessExplanation['permission'] {
  return { name: access, isHeld: access === 'public' || holdsPermission(permissions, access) }
}

function holdsPermission(permissions: PermissionSet, name: string): boolean {
  return permissions.has(name as Permission) // an access or a rule names one
}

function withValue(
  branch: Branch,
  row: Readonly<Record<string, unknown>> | null,
  hidden: ReadonlySet<string>,
): ExplainedBranch {
  const { column } = branch
  if (column === null || row === null) return branch
  return hidden.has(column) ? { ...branch, isHidden: true } : { ...branch, value: row[column] }
}

interface Outcomes {
  operation: ExplainedOperation
  isMissing: boolean
  holds: (operation: RowOperation) => boolean | null
}

/** Answers as the service does: the permission first, then whether the row exists for the caller, then the change. */
function answerOf(
  permission: AccessExplanation['permission'],
  { operation, isMissing, holds }: Outcomes,
): AccessExplanation['answer'] {
  if (permission?.isHeld !== true) return 'forbidden'
  if (isMissing) return 'notFound'
  const outcomes = required[operation].map((each) => [each, holds(each)] as const)
  for (const [each, outcome] of outcomes)
    if (outcome === false) return each === 'read' ? 'notFound' : 'forbidden'
  return outcomes.some(([, outcome]) => outcome === null) ? null : 'allowed'
}
