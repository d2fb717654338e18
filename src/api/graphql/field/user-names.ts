/** The names of users in the results of an operation, which are read by one statement. */
import type { Context } from '../../../core/context.ts'
import { hasMarks, markedUsers, withNames } from '../../../database/read/user-name.ts'
import { type Json, textOf } from '../json-writer.ts'

interface Result {
  /** `null` also for a failed field. */
  json: Json | null
}

/** Puts the names into the results. */
export async function addUserNames({ shared, tenant }: Context, results: readonly Result[]): Promise<void> {
  const named = results.flatMap((result) => {
    const { json } = result
    const isNamed = json !== null && (typeof json === 'string' ? [json] : json).some(hasMarks)
    return isNamed ? [{ result, text: textOf(json) }] : []
  })
  if (named.length === 0) return
  const ids = new Set(named.flatMap(({ text }) => [...markedUsers(text)]))
  const names = await shared.users.named(tenant.id, [...ids])
  for (const { result, text } of named) result.json = withNames(text, names)
}
