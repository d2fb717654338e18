/** The conditions with which the scope restricts tables. */
import {
  BinaryOperationNode,
  ColumnNode,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
  type TableNode,
  UnaryOperationNode,
  ValueNode,
} from 'kysely'

/** A table whose rows are scoped. */
export interface ScopedTable {
  name: string
  /** Its alias, or the table. */
  reference: TableNode
}

export interface ScopeColumn {
  name: string
  value: unknown
  /** Written so that SQLite reads no index for it: without statistics it prefers that of the tenant to that of the user. */
  isFilter: boolean
}

/** PostgreSQL makes an equality of the filter. */
export function conditionOn(table: TableNode, { name, value, isFilter }: ScopeColumn): OperationNode {
  const column = ReferenceNode.create(ColumnNode.create(name), table)
  if (!isFilter) return equality(column, ValueNode.create(value))
  const differs = BinaryOperationNode.create(column, OperatorNode.create('<>'), ValueNode.create(value))
  return UnaryOperationNode.create(OperatorNode.create('not'), differs)
}

/** Whether it is what `conditionOn` makes. */
export function isCondition(
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
