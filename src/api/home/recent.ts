/** The rows that the caller changed last. */
import type { Static } from 'typebox'
import { lastChanges } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { type BrowsedRows, listedBy } from '../../core/feature/browsed.ts'
import { type Home, maxRecent } from './schema.ts'

type Recent = Static<typeof Home>['recent'][number]

/** The maximum number of audit records that are searched for rows, of which the caller may not read all any more. */
const maxRecords = 200
const maxCandidates = 3 * maxRecent

export async function recentRows(context: Context, sources: readonly BrowsedRows[]): Promise<Recent[]> {
  const { actor } = context
  if (actor === null) return []
  const listed = new Map(listedBy(context, sources).map((rows) => [rows.name, rows]))
  const changed = new Map<string, Omit<Recent, 'title'>>()
  for (const { subjectType, subjectId, action, createdAt } of await lastChanges(
    context,
    actor.id,
    maxRecords,
  )) {
    if (changed.size === maxCandidates) break
    if (subjectId === null || !listed.has(subjectType) || changed.has(subjectId)) continue
    changed.set(subjectId, { entity: subjectType, id: subjectId, action, at: createdAt })
  }
  const candidates = [...changed.values()]
  const titles = await Promise.all(
    [...Map.groupBy(candidates, ({ entity }) => entity)].map(([name, rows]) =>
      listed.get(name)?.titles(
        context,
        rows.map(({ id }) => id),
      ),
    ),
  )
  const titleOf = (id: string) => titles.find((each) => each?.has(id) === true)?.get(id)
  return candidates
    .flatMap((row) => {
      const title = titleOf(row.id)
      return title === undefined ? [] : [{ ...row, title }]
    })
    .slice(0, maxRecent)
}
