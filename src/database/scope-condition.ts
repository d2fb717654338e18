/**
 * Finds the tables in a query of Kysely, and makes the conditions that restrict each of them to the rows of one
 * tenant or of one of its users.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  IdentifierNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  TableNode,
  UnaryOperationNode,
  ValueNode,
  type WithNode,
} from 'kysely'

/** A table whose rows are scoped. */
export interface ScopedTable {
  name: string
  /** The alias of the table in the query, or the table itself. */
  reference: TableNode
}

export function scopedTable(table: TableNode, reference: TableNode): ScopedTable {
  return { name: table.table.identifier.name, reference }
}

/** Subqueries are scoped separately. */
export function tableIn(node: OperationNode | undefined): ScopedTable[] {
  if (node === undefined) return []
  const named = AliasNode.is(node) ? node.node : node
  if (RawNode.is(named)) throw new Error('A table of raw SQL cannot be scoped.')
  if (!TableNode.is(named)) return []
  if (!AliasNode.is(node)) return [scopedTable(named, named)]
  if (!IdentifierNode.is(node.alias)) throw new Error('A tenant table needs a plain alias.')
  return [scopedTable(named, TableNode.create(node.alias.name))]
}

export interface ScopeColumn {
  name: string
  value: unknown
  /**
   * Whether SQLite must not use an index for it: without statistics it prefers an index of the tenant to one of the
   * user.
   */
  isFilter: boolean
}

/** @returns the condition on a table that its rows have these values */
export function rowsOf(columns: readonly ScopeColumn[], table: TableNode): OperationNode {
  return columns.map((column) => conditionOn(table, column)).reduce((all, each) => AndNode.create(all, each))
}

/** Whether a condition begins with that of `rowsOf`, followed by those of rules. */
export function isRestrictedTo(
  columns: readonly ScopeColumn[],
  rules: readonly OperationNode[],
  { table, condition }: { table: ScopedTable; condition: OperationNode },
): boolean {
  const first = conjuncts(condition)
  return (
    columns.every((column, place) => isCondition(first[place], table, column)) &&
    rules.every((rule, place) => isDeepStrictEqual(first[columns.length + place], rule))
  )
}

/** Whether a condition on a table names one of its rows by a given id. */
export function namesOne(condition: OperationNode | undefined, table: ScopedTable): boolean {
  if (condition === undefined) return false
  // Scoping puts the query's own condition in parentheses.
  return conjuncts(condition).some((each) =>
    ParensNode.is(each) ? namesOne(each.node, table) : isIdOf(each, table),
  )
}

function isIdOf(node: OperationNode, { reference }: ScopedTable): boolean {
  if (!BinaryOperationNode.is(node) || !isOperator(node.operator, '=')) return false
  const { leftOperand: left, rightOperand: right } = node
  if (!ReferenceNode.is(left) || !ColumnNode.is(left.column) || !ValueNode.is(right)) return false
  const of = left.table?.table.identifier.name ?? reference.table.identifier.name
  return left.column.column.name === 'id' && of === reference.table.identifier.name
}

/** A filter is written as `NOT column <> value`. PostgreSQL simplifies it to an equality. */
function conditionOn(table: TableNode, { name, value, isFilter }: ScopeColumn): OperationNode {
  const column = ReferenceNode.create(ColumnNode.create(name), table)
  if (!isFilter) return equality(column, ValueNode.create(value))
  const differs = BinaryOperationNode.create(column, OperatorNode.create('<>'), ValueNode.create(value))
  return UnaryOperationNode.create(OperatorNode.create('not'), differs)
}

/** Whether a node is the condition that `conditionOn` makes of a table and a column. */
function isCondition(
  node: OperationNode | undefined,
  table: ScopedTable,
  { name, value, isFilter }: ScopeColumn,
): boolean {
  if (!isFilter) return isComparison(node, table, { name, operator: '=', value })
  return (
    node !== undefined &&
    UnaryOperationNode.is(node) &&
    isOperator(node.operator, 'not') &&
    isComparison(node.operand, table, { name, operator: '<>', value })
  )
}

function isComparison(
  node: OperationNode | undefined,
  { reference }: ScopedTable,
  { name, operator, value }: { name: string; operator: '=' | '<>'; value: unknown },
): boolean {
  if (node === undefined || !BinaryOperationNode.is(node)) return false
  const { leftOperand: left, rightOperand: right } = node
  return (
    ReferenceNode.is(left) &&
    ColumnNode.is(left.column) &&
    left.column.column.name === name &&
    left.table?.table.identifier.name === reference.table.identifier.name &&
    isOperator(node.operator, operator) &&
    ValueNode.is(right) &&
    right.value === value
  )
}

function isOperator(node: OperationNode, operator: string): boolean {
  return OperatorNode.is(node) && node.operator === operator
}

export function equality(left: OperationNode, right: OperationNode): OperationNode {
  return BinaryOperationNode.create(left, OperatorNode.create('='), right)
}

/** The query's own condition is put in parentheses: an OR in it must not bypass the tenant. */
export function and(own: OperationNode, condition: OperationNode): OperationNode {
  return AndNode.create(own, ParensNode.create(condition))
}

/** @returns nothing unless the node is a column */
export function nameOfColumn(node: OperationNode): string | undefined {
  return ReferenceNode.is(node) && ColumnNode.is(node.column) ? node.column.column.name : undefined
}

/** @returns the conditions that AND joins, in the order in which they are written */
export function conjuncts(condition: OperationNode): OperationNode[] {
  return AndNode.is(condition) ? [...conjuncts(condition.left), condition.right] : [condition]
}

/** The names of the expressions of a WITH. */
export function namesOf(node: WithNode): string[] {
  return node.expressions.map(({ name }) => name.table.table.identifier.name)
}
