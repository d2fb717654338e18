/** The service tells of errors in English; a person reads them in the language of the console. */
import { errorKinds } from '../../../src/core/errors.ts'

/** @param texts by the kind of the error @returns translates a message; one that says more than its kind stays as it is */
export function errorsIn(texts: Readonly<Record<string, string>>): (message: string) => string {
  const known = new Map(Object.entries(errorKinds).map(([kind, { text }]) => [text as string, texts[kind]]))
  return (message) => known.get(message) ?? message
}
