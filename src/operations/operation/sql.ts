import type { Selectable, Updateable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type { OperationTable } from '../../database/operation-tables.ts'

export type OperationRow = Selectable<OperationTable>

export async function insertOperation(catalogue: InstallationData, row: OperationRow): Promise<void> {
  await catalogue.kysely.insertInto('operation').values(row).execute()
}

export async function updateOperation(
  catalogue: InstallationData,
  id: string,
  change: Updateable<OperationTable>,
): Promise<void> {
  await catalogue.kysely.updateTable('operation').set(change).where('id', '=', id).execute()
}

export async function findOperation(catalogue: InstallationData, id: string): Promise<OperationRow | null> {
  const query = catalogue.kysely.selectFrom('operation').selectAll().where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** Newest first. @param before the id after which the page begins, or `null` */
export function operationPage(
  catalogue: InstallationData,
  before: string | null,
  limit: number,
): Promise<OperationRow[]> {
  const query = catalogue.kysely.selectFrom('operation').selectAll()
  return (before === null ? query : query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function unfinishedOperations(catalogue: InstallationData): Promise<OperationRow[]> {
  return catalogue.kysely
    .selectFrom('operation')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute()
}
