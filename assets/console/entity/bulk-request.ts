/** Changes of many rows in one request, which reports what became of each. */

import { type Problem, request } from '../api.ts'
import type { EntityDescription } from '../describe.ts'

/** One request changes so many rows at most. */
export const maxBulkRows = 1000

/** Rows by their ids, or all that match a query, of which the user has seen so many. */
export type BulkTarget =
  | { ids: readonly string[]; versions?: Readonly<Record<string, string>> }
  | { query: Readonly<Record<string, string>>; count: number }

export interface BulkReport {
  done: number
  failed: number
  rows: readonly { id: string; status: 'done' | 'failed'; etag?: string; error?: Problem }[]
}

/** @param verb `change`, `delete`, or the name of an action @throws ApiError */
export async function runBulk(
  { operations }: EntityDescription,
  target: BulkTarget,
  { verb, input }: { verb: string; input?: object },
): Promise<BulkReport> {
  const body = { ...target, do: verb, ...(input !== undefined && { input }) }
  return (await request<BulkReport>('POST', `${operations.list?.path}/bulk`, { body })).body
}
