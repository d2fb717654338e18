/** Adds the members that the database of rows does not know, such as names of users. An operation looks each up once. */
import { completed } from '../../../core/completion.ts'
import type { Context } from '../../../core/context.ts'
import { hasMarks } from '../../../database/read/mark.ts'
import { type Json, textOf } from '../json-writer.ts'

interface Result {
  /** The value of the field; `null` if the field failed. */
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
