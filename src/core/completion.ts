/**
 * Members of rows whose values this process makes after the read: from another database, from keys, or from what is
 * declared. The database renders what it has stored, and one call makes all values of a reply.
 */
import { marksIn, ofNull, withValues } from '../database/read/mark.ts'
import type { Completed } from '../database/read/read-model.ts'
import type { Context } from './context.ts'

/** Makes the values from what is stored, one for each, in the same order. @typeParam S text or bytes */
type Complete<S> = (
  context: Context,
  stored: readonly S[],
) => readonly unknown[] | Promise<readonly unknown[]>

interface Completion {
  complete: Complete<Buffer>
  /** The value where nothing is stored, as JSON. */
  none: string
}

const all: Completion[] = []

/** Declared once for a process. @param none the value where nothing is stored */
export function completedText(complete: Complete<string>, none: unknown = null): Completed {
  const ofText: Complete<Buffer> = (context, stored) =>
    complete(
      context,
      stored.map((each) => each.toString()),
    )
  return declared(ofText, { isBytes: false, none })
}

/** The same for a column with bytes. */
export function completedBytes(complete: Complete<Buffer>): Completed {
  return declared(complete, { isBytes: true, none: null })
}

function declared(
  complete: Complete<Buffer>,
  { isBytes, none }: { isBytes: boolean; none: unknown },
): Completed {
  all.push({ complete, none: JSON.stringify(none) })
  return { number: all.length - 1, isBytes }
}

/** @param texts rows as the database has rendered them @returns the same with the values of their marks */
export async function completed(context: Context, texts: readonly string[]): Promise<string[]> {
  const made = new Map<number, ReadonlyMap<string, string>>()
  for (const [number, found] of marksIn(texts)) {
    const digits = [...found]
    const stored = digits.map((each) => Buffer.from(each, 'hex'))
    const { complete, none = 'null' } = all[number] ?? {}
    const values = (await complete?.(context, stored)) ?? []
    const rendered = digits.map((each, place) => [each, JSON.stringify(values[place] ?? null)] as const)
    made.set(number, new Map([[ofNull, none], ...rendered]))
  }
  return texts.map((text) => withValues(text, made))
}
