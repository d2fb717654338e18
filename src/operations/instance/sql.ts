/** The statements on the table of instances. */
import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import { eachOf, pick, prepareForInstallation } from '../../database/prepared.ts'
import type { InstanceTable } from './table.ts'

export type InstanceRow = Selectable<InstanceTable>

const reportedColumns = ['seen_at', 'clock_difference_ms', 'file_store'] as const
const columns = [
  'id',
  'host',
  'process_id',
  'version',
  'node_version',
  'started_at',
  ...reportedColumns,
] as const

const reported = prepareForInstallation((tables, p: InstanceRow) =>
  tables
    .insertInto('instance')
    .values(pick(p, columns))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(pick(p, reportedColumns))),
)

export async function upsertInstance(installation: InstallationData, row: InstanceRow): Promise<void> {
  await installation.change(reported, row)
}

const removed = eachOf(
  prepareForInstallation,
  (tables, p: { id: string; seenBefore?: string }, _dialect, given) => {
    const others = tables.deleteFrom('instance').where('id', '<>', p.id)
    return given.has('seenBefore') ? others.where('seen_at', '<', p.seenBefore ?? '') : others
  },
)

/** @param seenBefore ISO 8601; `null` for all others */
export async function deleteOtherInstances(
  installation: InstallationData,
  id: string,
  seenBefore: string | null,
): Promise<void> {
  const parameters = { id, ...(seenBefore !== null && { seenBefore }) }
  await installation.change(removed(parameters), parameters)
}

const latest = prepareForInstallation((tables, p: { limit: number }) =>
  tables.selectFrom('instance').selectAll().orderBy('id', 'desc').limit(p.limit),
)

/** @returns at most `limit` instances, the latest to start first */
export function allInstances(installation: InstallationData, limit: number): Promise<InstanceRow[]> {
  return installation.all(latest, { limit })
}
