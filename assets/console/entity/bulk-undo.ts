/** Undoes a change of many rows, for the rows that the report names as done. */
import { toast } from '../component/toast.tsx'
import { type EntityDescription, inverseOf, isRestorable, type Row } from '../describe.ts'
import { text } from '../text/text.ts'
import { type BulkReport, type BulkTarget, maxBulkRows, runBulk } from './bulk-request.ts'
import { resultOf } from './bulk-result.ts'
import { loadRows } from './rows.ts'

/** Reads the values of the rows before a change. @param shown the rows that were chosen one by one @throws ApiError */
export async function formerRows(
  entity: EntityDescription,
  target: BulkTarget,
  { member, shown }: { member: string; shown: readonly Row[] },
): Promise<readonly Row[]> {
  if ('ids' in target) return shown
  return loadRows(entity, { ...target.query, fields: `id,${member}` }, maxBulkRows)
}

interface Done {
  verb: string
  report: BulkReport
  /** The changed member; absent for a deletion or an action. */
  member?: string
  /** The rows before the change. */
  former?: readonly Row[]
}

/** @returns a function that undoes it; `null` if that is not possible */
export function undoOf(
  entity: EntityDescription,
  { verb, report, member = '', former = [] }: Done,
): (() => Promise<void>) | null {
  const done = report.rows.filter(({ status }) => status === 'done')
  const ids = done.map(({ id }) => id)
  const running = (opposite: string) => async () => told([await runBulk(entity, { ids }, { verb: opposite })])
  if (verb === 'change') {
    const known = former.filter(({ id }) => ids.includes(id))
    // The versions protect changes that somebody else has made to a row since then.
    const versions = Object.fromEntries(
      done.flatMap(({ id, etag }) => (etag === undefined ? [] : [[id, etag]])),
    )
    return known.length < ids.length ? null : () => restoreMember(entity, known, { member, versions })
  }
  if (verb === 'delete') return isRestorable(entity) ? running('restore') : null
  const action = entity.actions.find(({ name }) => name === verb)
  const inverse = action && inverseOf(entity, action)
  return inverse === undefined ? null : running(inverse.name)
}

interface Restored {
  member: string
  versions: Readonly<Record<string, string>>
}

/** Restores the former values of the rows. @throws ApiError */
async function restoreMember(
  entity: EntityDescription,
  rows: readonly Row[],
  { member, versions }: Restored,
): Promise<void> {
  const reports: BulkReport[] = []
  for (const [value, same] of Map.groupBy(rows, (row) => row[member] ?? null)) {
    const ids = same.map(({ id }) => id)
    const own = Object.fromEntries(
      ids.flatMap((id) => (versions[id] === undefined ? [] : [[id, versions[id]]])),
    )
    reports.push(
      await runBulk(entity, { ids, versions: own }, { verb: 'change', input: { [member]: value } }),
    )
  }
  told(reports)
}

function told(reports: readonly BulkReport[]): void {
  const isError = reports.some(({ failed }) => failed > 0)
  toast(`${text.list.takenBack} ${resultOf(reports)}`, { isError })
}
