/** Changes many rows in one request, whose reply reports the outcome for each row. */

import { type Problem, request } from '../api.ts'
import type { EntityDescription } from '../describe.ts'

/** The maximum number of rows in one request. */
export const maxBulkRows = 1000

/** The rows by their ids, or all rows that match a query, with the number of rows that the user has seen. */
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
