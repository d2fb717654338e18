/**
 * Converts a period to a range of ids. Ids are in the order of creation, so that a period needs no index of its own.
 * The ids and the log may be from different clocks, but neither clock may go back.
 */

import { firstIdAt, momentOf, newId } from '../../../core/id.ts'
import type { TenantData } from '../../../database/data.ts'
import { beforeAllIds } from '../../../database/json-page.ts'
import { deliveryFrom } from './sql.ts'

/** Clocks of instances differ by less. Rows this close to a border are read, and filtered by their own timestamp. */
const marginMs = 60_000

interface Period {
  since?: string
  until?: string
}

/** The first row with this id or a later one. */
type FirstFrom = (data: TenantData, id: string) => Promise<{ id: string; createdAt: string } | null>

/** @param firstFrom reads the log @returns the range that contains all ids of the period */
export async function idsOfPeriod(
  data: TenantData,
  { since, until }: Period,
  firstFrom: FirstFrom = deliveryFrom,
): Promise<{ from?: string; to?: string }> {
  if (since === undefined && until === undefined) return {}
  const rowFrom: RowFrom = (id) => firstFrom(data, id)
  const oldest = await rowFrom(beforeAllIds)
  if (oldest === null) return {}
  const from = since === undefined ? null : await border(rowFrom, oldest.id, Date.parse(since) - marginMs)
  const to = until === undefined ? null : await border(rowFrom, oldest.id, Date.parse(until) + marginMs)
  return { ...(from !== null && { from: from.older }), ...(to !== null && { to: to.newer }) }
}

type RowFrom = (id: string) => ReturnType<FirstFrom>

/**
 * A binary search on the timestamps of ids.
 * @returns rows before `older` were created before the moment; rows from `newer` on were not
 */
async function border(
  rowFrom: RowFrom,
  oldestId: string,
  momentMs: number,
): Promise<{ older: string; newer: string }> {
  let olderMs = momentOf(oldestId)
  let newerMs = momentOf(newId()) + marginMs
  while (newerMs - olderMs > marginMs) {
    const middleMs = Math.floor((olderMs + newerMs) / 2)
    const row = await rowFrom(firstIdAt(new Date(middleMs)))
    if (row === null || Date.parse(row.createdAt) >= momentMs) newerMs = middleMs
    else olderMs = Math.max(middleMs, momentOf(row.id))
  }
  return { older: firstIdAt(new Date(olderMs)), newer: firstIdAt(new Date(newerMs)) }
}
