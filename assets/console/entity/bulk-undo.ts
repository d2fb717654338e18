/** How a change of many rows is taken back: for those that the report names as done. */
import { toast } from '../component/toast.tsx'
import { type EntityDescription, inverseOf, isRestorable, type Row } from '../describe.ts'
import { text } from '../text/text.ts'
import { type BulkReport, type BulkTarget, maxBulkRows, runBulk } from './bulk-request.ts'
import { resultOf } from './bulk-result.ts'
import { loadRows } from './rows.ts'

/** The values that the rows have before a change. @param shown those that were chosen one by one @throws ApiError */
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
  /** The member that was changed; absent if it was no change. */
  member?: string
  former?: readonly Row[]
}

/** @returns `null` for what nothing takes back */
export function undoOf(
  entity: EntityDescription,
  { verb, report, member = '', former = [] }: Done,
): (() => Promise<void>) | null {
  const done = report.rows.filter(({ status }) => status === 'done')
  const ids = done.map(({ id }) => id)
  const running = (opposite: string) => async () => told([await runBulk(entity, { ids }, { verb: opposite })])
  if (verb === 'change') {
    const known = former.filter(({ id }) => ids.includes(id))
    // Whoever has changed a row since then keeps the change.
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

/** Gives the rows the values back that they had. @throws ApiError */
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
