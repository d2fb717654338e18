/** A row of a reply: the text that the database rendered, or copies of what it rendered once. */

import type { ReadBudget } from '../../../database/read/budget.ts'
import { type Parsed, parseRows, project, projectedBytes } from '../../../database/read/projection.ts'
import type { Selection } from '../../../database/read/selection.ts'
import { TimeSlice } from '../../../database/time-slice.ts'
import { type Json, JsonWriter } from '../json-writer.ts'

/** Not written yet where it has copies: they are counted before they are made. */
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
 * @param json a row with all that the selections select, or a list of such rows, which the budget knows of
 * @returns it by each of the selections
 * @throws whatever the budget throws when these have more bytes than it lets
 */
export function copiesOf(json: string, { selections, budget }: CopyJob): Copies[] {
  const row = parseRows(json)
  const bytes = selections.reduce((sum, selection) => sum + projectedBytes(row, selection), 0)
  budget.take(0, Math.max(0, bytes - Buffer.byteLength(json)))
  return selections.map((selection) => ({ row, selection }))
}

/** @param json rows, joined by commas @returns each of them by the selection */
export function copiesOfList(json: string | Buffer, selection: Selection, budget: ReadBudget): Copies[] {
  const [copies] = copiesOf(`[${json}]`, { selections: [selection], budget })
  return Array.isArray(copies?.row) ? copies.row.map((row) => ({ row, selection })) : []
}

/** Adds a row. @returns `null` when it is done, else a promise of the rest: a long one lets others in between */
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
