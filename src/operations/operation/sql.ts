/** The statements on the table of requested operations. */
import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import { eachOf, pick, prepareForInstallation } from '../../database/prepared.ts'
import type { OperationTable } from './table.ts'

export type OperationRow = Selectable<OperationTable>

const columns = [
  'id',
  'kind',
  'subject_id',
  'status',
  'phase',
  'copied_rows',
  'total_rows',
  'host',
  'result',
  'error',
  'requested_by',
  'job_id',
  'created_at',
  'started_at',
  'finished_at',
] as const

const added = prepareForInstallation((tables, p: OperationRow) =>
  tables.insertInto('operation').values(pick(p, columns)),
)

export async function insertOperation(installation: InstallationData, row: OperationRow): Promise<void> {
  await installation.change(added, row)
}

export type OperationChange = Partial<Omit<OperationRow, 'id'>>

const changed = eachOf(
  prepareForInstallation,
  (tables, p: OperationChange & { id: string }, _dialect, given) => {
    const { id, ...change } = pick(p, given)
    return tables.updateTable('operation').set(change).where('id', '=', id)
  },
)

export async function updateOperation(
  installation: InstallationData,
  id: string,
  change: OperationChange,
): Promise<void> {
  const parameters = { ...change, id }
  await installation.change(changed(parameters), parameters)
}

const byId = prepareForInstallation((tables, p: { id: string }) =>
  tables.selectFrom('operation').selectAll().where('id', '=', p.id),
)

export function findOperation(installation: InstallationData, id: string): Promise<OperationRow | null> {
  return installation.first(byId, { id })
}

const page = eachOf(
  prepareForInstallation,
  (tables, p: { before?: string; limit: number }, _dialect, given) => {
    const query = tables.selectFrom('operation').selectAll().orderBy('id', 'desc').limit(p.limit)
    return given.has('before') ? query.where('id', '<', p.before ?? '') : query
  },
)

/** Newest first. @param before the id after which the page begins, or `null` */
export function operationPage(
  installation: InstallationData,
  before: string | null,
  limit: number,
): Promise<OperationRow[]> {
  const parameters = { limit, ...(before !== null && { before }) }
  return installation.all(page(parameters), parameters)
}

const counted = prepareForInstallation((tables) =>
  tables.selectFrom('operation').select(({ fn }) => fn.countAll<number>().as('count')),
)

export async function countOperations(installation: InstallationData): Promise<number> {
  return Number((await installation.first(counted, {}))?.count ?? 0)
}

const done = prepareForInstallation((tables, p: { kind: string }) =>
  tables
    .selectFrom('operation')
    .select('id')
    .where('kind', '=', p.kind)
    .where('status', '=', 'DONE')
    .limit(1),
)

export async function hasDone(installation: InstallationData, kind: string): Promise<boolean> {
  return (await installation.first(done, { kind })) !== null
}

const unfinished = prepareForInstallation((tables) =>
  tables.selectFrom('operation').selectAll().where('finished_at', 'is', null).orderBy('id'),
)

export function unfinishedOperations(installation: InstallationData): Promise<OperationRow[]> {
  return installation.all(unfinished, {})
}
