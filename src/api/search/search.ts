/** Searches the rows of all entities that the caller may list. */
import type { Static } from 'typebox'
import type { Context } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { type BrowsedRows, listedBy } from '../../core/feature/browsed.ts'
import { isUuid } from '../../core/id.ts'
import { CallerTime } from '../../core/limits/caller-time.ts'
import { inTimeOrNull, PartOfTime } from '../../core/limits/part-of-time.ts'
import { notKnown } from '../../core/names.ts'
import { eachBeside } from './each-beside.ts'
import { defaultHits, maxCounted, type SearchQuery, type SearchReply } from './schema.ts'

/** The database time of one entity. A search takes 100 ms for 100 000 rows; longer texts take more. */
const maxMsOfEntity = 300

type SearchResult = Static<typeof SearchReply>

/** @throws ServiceError `invalid` for an entity that the caller does not list; `tooManyRequests` */
export async function search(
  context: Context,
  sources: readonly BrowsedRows[],
  { q, limit = defaultHits, entity }: Static<typeof SearchQuery>,
): Promise<SearchResult> {
  if (q.trim() === '') throw invalidField('q', 'must have a word', 'badPattern')
  const all = listedBy(context, sources)
  if (entity !== undefined && !all.some(({ name }) => name === entity))
    throw invalidField(
      'entity',
      notKnown(
        entity,
        'not an entity that you read',
        all.map(({ name }) => name),
      ),
      'unknownName',
    )
  // An id is looked up among all rows.
  const chosen = all.filter(({ name, isSearched }) =>
    entity === undefined ? isSearched || isUuid(q.trim()) : name === entity,
  )
  const time = new CallerTime(context)
  const found = await eachBeside(chosen, (rows) =>
    inTimeOrNull(() => searchIn(context, rows, { text: q.trim(), limit, time })),
  )
  return {
    found: found.filter((each) => each !== null && each.total > 0) as SearchResult['found'], // nulls are removed
    leftOut: chosen.flatMap(({ name }, index) => (found[index] === null ? [name] : [])),
  }
}

async function searchIn(
  context: Context,
  rows: BrowsedRows,
  { text, limit, time }: { text: string; limit: number; time: CallerTime },
): Promise<SearchResult['found'][number]> {
  const own = new PartOfTime(time, maxMsOfEntity)
  const { rows: hits, total, isCapped } = await rows.search(context, { text, limit, maxCounted, time: own })
  return { entity: rows.name, total, isCapped, hits }
}
