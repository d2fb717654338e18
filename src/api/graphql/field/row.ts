/** The rows of a reply: text that the database rendered, or copies of values that it rendered once. */

import type { ReadBudget } from '../../../database/read/measure.ts'
import { type Parsed, parseRows } from '../../../database/read/parsed.ts'
import { project, projectedBytes } from '../../../database/read/projection.ts'
import type { Selection } from '../../../database/read/selection.ts'
import { TimeSlice } from '../../../database/time-slice.ts'
import { type Json, JsonWriter } from '../json-writer.ts'

/** JSON text, or copies to be written: copies are counted before they are made. */
export type RenderedRow = string | Copies

interface Copies {
  row: Parsed
  selection: Selection
}

interface CopyJob {
  selections: readonly Selection[]
  budget: ReadBudget
}

/**
 * @param json a row with all selected values, or a list of such rows, counted by the budget
 * @returns the row, once for each selection
 * @throws the errors of the budget when the copies have too many bytes
 */
export function copiesOf(json: string, { selections, budget }: CopyJob): Copies[] {
  const row = parseRows(json)
  const bytes = selections.reduce((sum, selection) => sum + projectedBytes(row, selection), 0)
  budget.take(0, Math.max(0, bytes - Buffer.byteLength(json)))
  return selections.map((selection) => ({ row, selection }))
}

/** @param json rows, joined by commas @returns each row by the selection */
export function copiesOfList(json: string | Buffer, selection: Selection, budget: ReadBudget): Copies[] {
  const [copies] = copiesOf(`[${json}]`, { selections: [selection], budget })
  return Array.isArray(copies?.row) ? copies.row.map((row) => ({ row, selection })) : []
}

/** Adds a row. @returns `null` when it is done, else a promise of the rest: a long row yields to other work */
export function writeRow(writer: JsonWriter, row: RenderedRow, pace: TimeSlice): Promise<void> | null {
  if (typeof row !== 'string') return writeCopies(writer, row, pace)
  writer.add(row)
  return null
}

async function writeCopies(writer: JsonWriter, { row, selection }: Copies, pace: TimeSlice): Promise<void> {
  for (const text of project(row, selection)) {
    writer.add(text)
    await pace.pause()
  }
}

export async function jsonOf(row: RenderedRow): Promise<Json> {
  if (typeof row === 'string') return row
  const writer = new JsonWriter()
  await writeRow(writer, row, new TimeSlice())
  return writer.finish()
}
