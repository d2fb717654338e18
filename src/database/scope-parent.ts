/** Tables without a tenant column, whose rows belong to the rows of another table. */
import {
  AliasNode,
  AndNode,
  ColumnNode,
  IdentifierNode,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  UnaryOperationNode,
  type UpdateQueryNode,
  WhereNode,
} from 'kysely'
import { equality, rowsOf, type ScopeColumn, type ScopedTable, tableIn } from './scope-condition.ts'

/** The row of another table to which the rows of a table belong. */
export interface Parent {
  /** The column that refers to the `id` of the other table. */
  column: string
  table: string
}

const parents = new Map<string, Parent>()

/** Declares that the rows of a table without a tenant column belong to the tenant, and user, of the row they refer to. */
export function belongsTo(table: string, parent: Parent): void {
  parents.set(table, parent)
}

/** @returns nothing for a table with a tenant column */
export function parentOf(table: string): Parent | undefined {
  return parents.get(table)
}

/** The condition that a row's parent is in the scope. PostgreSQL looks up each parent by its key. */
export function hasOwnParent(
  parent: Parent,
  { reference }: ScopedTable,
  columns: readonly ScopeColumn[],
): OperationNode {
  const column = ReferenceNode.create(ColumnNode.create(parent.column), reference)
  return UnaryOperationNode.create(OperatorNode.create('exists'), ownParent(parent, column, columns))
}

/** @param id an expression @returns a query for the row of this id in the scope */
export function ownParent(parent: Parent, id: OperationNode, columns: readonly ScopeColumn[]): OperationNode {
  const owner = TableNode.create('owner')
  const key = ReferenceNode.create(ColumnNode.create('id'), owner)
  const from = AliasNode.create(TableNode.create(parent.table), IdentifierNode.create('owner'))
  const where = AndNode.create(equality(key, id), rowsOf(columns, owner))
  const rows: SelectQueryNode = SelectQueryNode.cloneWithSelections(SelectQueryNode.createFrom([from]), [
    SelectionNode.create(key),
  ])
  const restricted: SelectQueryNode = { ...rows, where: WhereNode.create(where) }
  return restricted
}

/** Refuses an update of the reference to the parent, which could move a row to a parent outside of the scope. */
export function refuseNewParent({ table, updates = [] }: UpdateQueryNode): void {
  const columns = new Set(tableIn(table).map(({ name }) => parents.get(name)?.column))
  for (const { column } of updates)
    if (ColumnNode.is(column) && columns.has(column.column.name))
      throw new Error(`Only an insert sets ${column.column.name}.`)
}
