/**
 * Members of rows whose values this process makes after the read, such as the name of a user whose id is stored. The
 * database renders a mark with what it has stored, and one call for each member makes the values of a whole reply.
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

/**
 * Declares a member whose column is text. To be called once in a process, not for each request.
 * @param none the value where nothing is stored
 */
export function completedText(complete: Complete<string>, none: unknown = null): Completed {
  const ofText: Complete<Buffer> = (context, stored) =>
    complete(
      context,
      stored.map((each) => each.toString()),
    )
  return declared(ofText, { isBytes: false, none })
}

/** Declares a member whose column is bytes, like `completedText`. */
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

/** @param texts rows as the database has rendered them @returns the rows, with values in place of their marks */
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
