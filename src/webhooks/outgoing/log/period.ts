/**
 * Converts a period to a range of ids. Ids are in the order of creation, so that a period needs no index of its own.
 * The ids and the timestamps may be from different clocks, but neither clock may go back.
 */

import { Type } from 'typebox'
import { defined } from '../../../core/defined.ts'
import { firstIdAt, momentOf, newId } from '../../../core/id.ts'
import { Moment } from '../../../core/schema/schema.ts'
import type { TenantData } from '../../../database/data.ts'
import { beforeAllIds } from '../../../database/json-page.ts'
import { requiredBy } from '../../../database/read/conditions.ts'
import type { Filter, MatchingRows } from '../../../database/read/filter.ts'
import type { FilterParameter } from '../../../entity/filter.ts'

/** Clocks of instances differ by less. Rows this close to a border are read, and filtered by their timestamp. */
const marginMs = 60_000

/** A period in Unix milliseconds. Both ends may belong to it. */
interface Period {
  sinceMs?: number
  untilMs?: number
}

/** Reads the first row with this id or a later one. */
type FirstFrom = (data: TenantData, id: string) => Promise<{ id: string; createdAt: string } | null>

/** The parameters of a list. @param texts their descriptions */
export function periodParameters(texts: Record<'since' | 'until', string>) {
  return { since: momentParameter('gte', texts.since), until: momentParameter('lt', texts.until) }
}

function momentParameter(operator: 'gte' | 'lt', description: string): FilterParameter {
  return {
    schema: Type.Optional(Moment(description)),
    takesMe: false, // `me` is a text like any other
    read: (given, _context, { fields, time = 'createdAt', name }) => {
      const field = fields.get(time)
      if (field === undefined) throw new Error(`${name} has no time of creation.`)
      return { kind: 'compare', field, operator, value: String(given) }
    },
  }
}

/** @returns conditions on the id that follow from the conditions of the request on the time of creation */
export async function periodBounds(
  data: TenantData,
  request: MatchingRows,
  firstFrom: FirstFrom,
): Promise<Filter[]> {
  const [field] = request.entity.key
  if (field === undefined) return []
  const { from, to } = await idsOfPeriod(data, periodOf(request), firstFrom)
  const bounds: Filter[] = []
  if (from !== undefined) bounds.push({ kind: 'compare', field, operator: 'gte', value: from })
  if (to !== undefined) bounds.push({ kind: 'compare', field, operator: 'lt', value: to })
  return bounds
}

const beginOperators: ReadonlySet<string> = new Set(['eq', 'gt', 'gte'])
const endOperators: ReadonlySet<string> = new Set(['eq', 'lt', 'lte'])

function periodOf({ entity: { time = 'createdAt' }, filter }: MatchingRows): Period {
  const period: Period = {}
  for (const part of requiredBy(filter)) {
    if (part.kind !== 'compare' || part.field.name !== time) continue
    const ms = Date.parse(String(part.value))
    if (beginOperators.has(part.operator)) period.sinceMs = Math.max(ms, period.sinceMs ?? ms)
    if (endOperators.has(part.operator)) period.untilMs = Math.min(ms, period.untilMs ?? ms)
  }
  return period
}

/** @returns the range that contains all ids of the period */
export async function idsOfPeriod(
  data: TenantData,
  { sinceMs, untilMs }: Period,
  firstFrom: FirstFrom,
): Promise<{ from?: string; to?: string }> {
  if (sinceMs === undefined && untilMs === undefined) return {}
  const rowFrom: RowFrom = (id) => firstFrom(data, id)
  const oldest = await rowFrom(beforeAllIds)
  if (oldest === null) return {}
  const from = sinceMs === undefined ? undefined : await findBorder(rowFrom, oldest.id, sinceMs - marginMs)
  const to = untilMs === undefined ? undefined : await findBorder(rowFrom, oldest.id, untilMs + marginMs)
  return defined({ from: from?.older, to: to?.newer })
}

type RowFrom = (id: string) => ReturnType<FirstFrom>

/**
 * A binary search on the timestamps of ids.
 * @returns rows before `older` were created before the moment; rows from `newer` on were not
 */
async function findBorder(
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
