/** The replies of routes that answer with a row. */
import { validatorsOf } from '../api/http/reply/condition.ts'
import { Reply } from '../core/feature/route.ts'
import { isUnreadable, type StoredRow } from './row.ts'

/** The reply to a change that was permitted, but after which the caller may not read the row. */
export const unreadableReply = {
  status: 204,
  description: 'The row is out of reach of the caller now, and is not shown.',
} as const

/** @returns a reply with the row and its validators, such as the `ETag` */
export function tagged(row: StoredRow, headers: Record<string, string> = {}): Reply {
  if (row[isUnreadable] === true) return new Reply(null, {}, unreadableReply.status)
  return new Reply(row, { ...validatorsOf(row), ...headers })
}
