/**
 * Members of rows whose values this process makes after the read: from another database, from keys, or from what is
 * declared. The database renders what it has stored, and one call makes all values of a reply.
 */
import { marksIn, withValues } from '../database/read/mark.ts'
import type { Completed } from '../database/read/read-model.ts'
import type { Context } from './context.ts'

/** Makes the values from what is stored, one for each, in the same order. @typeParam S text or bytes */
type Complete<S> = (
  context: Context,
  stored: readonly S[],
) => readonly unknown[] | Promise<readonly unknown[]>

const all: Complete<Buffer>[] = []

/** The value is `null` where nothing is stored. Declared once for a process. */
export function completedText(complete: Complete<string>): Completed {
  const ofText: Complete<Buffer> = (context, stored) =>
    complete(
      context,
      stored.map((each) => each.toString()),
    )
  return declared(ofText, false)
}

/** The same for a column with bytes. */
export function completedBytes(complete: Complete<Buffer>): Completed {
  return declared(complete, true)
}

function declared(complete: Complete<Buffer>, isBytes: boolean): Completed {
  all.push(complete)
  return { number: all.length - 1, isBytes }
}

/** @param texts rows as the database has rendered them @returns the same with the values of their marks */
export async function completed(context: Context, texts: readonly string[]): Promise<string[]> {
  const made = new Map<number, ReadonlyMap<string, string>>()
  for (const [number, found] of marksIn(texts)) {
    const digits = [...found]
    const stored = digits.map((each) => Buffer.from(each, 'hex'))
    const values = (await all[number]?.(context, stored)) ?? []
    made.set(number, new Map(digits.map((each, place) => [each, JSON.stringify(values[place] ?? null)])))
  }
  return texts.map((text) => withValues(text, made))
}
