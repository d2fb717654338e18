/** The differences between two versions of an application's tables. */
import type { Column, ForeignKey, Index, Table } from '../table.ts'

export interface SchemaChange {
  /** Tables to which others refer come first, unless they refer to each other. */
  created: readonly Table[]
  dropped: readonly Table[]
  changed: readonly TableChange[]
}

export interface TableChange {
  before: Table
  after: Table
  columns: Pairing<Column>
  indexes: Pairing<Index>
  foreignKeys: Pairing<ForeignKey>
  /** The values of existing rows, by the new name of the column. */
  fills: ReadonlyMap<string, ColumnValue>
}

/** The value of a column; `text` also for moments and JSON. */
export type ColumnValue = string | number | boolean

export interface Pairing<T> {
  kept: readonly (readonly [before: T, after: T])[]
  dropped: readonly T[]
  added: readonly T[]
}

export function isEmpty({ created, dropped, changed }: SchemaChange): boolean {
  return created.length + dropped.length + changed.length === 0
}

/** Whether existing rows must get a value. */
export function becomesRequired(before: Column, after: Column): boolean {
  return before.isNullable && !after.isNullable
}

export function hasSameCheck(before: Column, after: Column): boolean {
  return (
    before.min === after.min &&
    before.max === after.max &&
    JSON.stringify(before.values) === JSON.stringify(after.values)
  )
}

/** Whether a kept column differs in more than its name. */
export function isAltered(before: Column, after: Column): boolean {
  return before.kind !== after.kind || before.isNullable !== after.isNullable || !hasSameCheck(before, after)
}

/** Whether a column is new, and NULL in every existing row: so is text that is case-folded from such a column. */
export function isEmptyColumn(
  { columns, fills }: TableChange,
  { name, folds = name, isNullable }: Column,
): boolean {
  const source = columns.added.find((each) => each.name === folds)
  return isNullable && source?.isNullable === true && source.sequence === undefined && !fills.has(folds)
}
