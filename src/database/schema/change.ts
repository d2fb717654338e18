/** Describes the differences between two versions of an application's tables, from which a migration is written. */
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

/** The value of a column. Moments and JSON are strings. */
export type ColumnValue = string | number | boolean

/** Parts of two versions, such as columns: those that both have, and those that only the old or the new version has. */
export interface Pairing<T> {
  kept: readonly (readonly [before: T, after: T])[]
  dropped: readonly T[]
  added: readonly T[]
}

export function isEmpty({ created, dropped, changed }: SchemaChange): boolean {
  return created.length + dropped.length + changed.length === 0
}

/** Whether existing rows without a value need one now. */
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

/**
 * Whether a new column is NULL in every existing row, because its source is new and has no values. The source is the
 * column itself, or that whose text it stores case-folded.
 */
export function isEmptyColumn(
  { columns, fills }: TableChange,
  { name, folds = name, isNullable }: Column,
): boolean {
  const source = columns.added.find((each) => each.name === folds)
  return isNullable && source?.isNullable === true && source.sequence === undefined && !fills.has(folds)
}
