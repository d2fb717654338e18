/** Writes refused lines as CSV, so that they can be corrected and imported again. */
import { guarded } from '../csv.ts'
import type { ImportLine } from './prepare.ts'

export interface Refusal extends ImportLine {
  reason: string
}

/** The column for the reasons. A file that is imported again may already have it. */
const reasonColumn = 'refusedBecause'

/** @returns the lines of a CSV file: the cells of the imported file, and the reason in a column of its own */
export function refusedLines(columns: readonly string[], refused: readonly Refusal[]): string[][] {
  const kept = columns.flatMap((name, index) => (name === reasonColumn ? [] : [index]))
  const widest = Math.max(columns.length, ...refused.map(({ cells }) => cells.length))
  const further = Array.from({ length: widest - columns.length }, (_, index) => columns.length + index)
  const places = [...kept, ...further]
  return [
    [...places.map((index) => columns[index] ?? ''), reasonColumn],
    ...refused.map(({ cells, reason }) => [...places.map((index) => cells[index] ?? ''), guarded(reason)]),
  ]
}
