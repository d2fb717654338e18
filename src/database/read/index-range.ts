/**
 * Decides which ranges of values SQLite may read by an index. Its planner uses an index for every range, and then
 * sorts the rows: for a page in another order, a wide range reads and sorts most of the table before the LIMIT.
 *
 * | Read | Range of | Form |
 * |---|---|---|
 * | a page | the first sort key | by the index, in whose order the rows are wanted |
 * | a page | another member | row by row, in the order of the page |
 * | a count, an aggregate | any member | by the index: every row of the range is read anyway |
 *
 * A range is `gt`, `gte`, `lt`, `lte` or `startsWith`, alone or joined to others by "and". PostgreSQL estimates how
 * many rows a range has, and needs no such rule.
 */
import type { SortKey } from './order.ts'
import type { ReadField } from './read-model.ts'

/** Decides whether an index may serve a range of the member. */
export type RangeRule = (field: ReadField) => boolean

export const byAnyIndex: RangeRule = () => true
export const byNoIndex: RangeRule = () => false

/** The rule for a page in an order: only an index on its first key may serve a range. */
export function byOrder([first]: readonly SortKey[]): RangeRule {
  return (field) => first?.path.length === 0 && first.field.column === field.column
}
