/** Makes the members of rows that the database does not know, such as names of users: once for all results of an operation. */
import { completed } from '../../../core/completion.ts'
import type { Context } from '../../../core/context.ts'
import { hasMarks } from '../../../database/read/mark.ts'
import { type Json, textOf } from '../json-writer.ts'

interface Result {
  /** `null` also for a failed field. */
  json: Json | null
}

/** Puts the values in the place of the marks that the database has rendered. */
export async function completeRows(context: Context, results: readonly Result[]): Promise<void> {
  const marked = results.flatMap((result) => {
    const { json } = result
    const isMarked = json !== null && (typeof json === 'string' ? [json] : json).some(hasMarks)
    return isMarked ? [{ result, text: textOf(json) }] : []
  })
  if (marked.length === 0) return
  const texts = await completed(
    context,
    marked.map(({ text }) => text),
  )
  for (const [index, { result }] of marked.entries()) result.json = texts[index] ?? null
}
