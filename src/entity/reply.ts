/** What routes of rows answer. */
import { validatorsOf } from '../api/http/reply/condition.ts'
import { Reply } from '../core/feature/route.ts'
import { isLeft, type StoredRow } from './row.ts'

/** The second answer of a change, where a rule says what is kept. */
export const left = {
  status: 204,
  description: 'The row is out of reach of the caller now, and is not shown.',
} as const

export function tagged(row: StoredRow, headers: Record<string, string> = {}): Reply {
  if (row[isLeft] === true) return new Reply(null, {}, 204)
  return new Reply(row, { ...validatorsOf(row), ...headers })
}

export function withArticle(label: string): string {
  return `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`
}
