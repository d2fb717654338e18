import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type { SignUpTable } from '../../database/identity-tables.ts'

export type SignUpRow = Selectable<SignUpTable>

export async function insertSignUp(catalogue: InstallationData, row: SignUpRow): Promise<void> {
  await catalogue.kysely.insertInto('sign_up').values(row).execute()
}

export async function findSignUp(catalogue: InstallationData, id: string): Promise<SignUpRow | null> {
  const query = catalogue.kysely.selectFrom('sign_up').selectAll().where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** Those that wait for approval, in the order of creation. */
export function waitingSignUps(
  catalogue: InstallationData,
  { after, limit, moment }: { after: string; limit: number; moment: string },
): Promise<SignUpRow[]> {
  return catalogue.kysely
    .selectFrom('sign_up')
    .selectAll()
    .where('verified_at', 'is not', null)
    .where('expires_at', '>', moment)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function updateSignUp(
  catalogue: InstallationData,
  id: string,
  change: Pick<SignUpRow, 'verified_at' | 'expires_at'>,
): Promise<void> {
  await catalogue.kysely.updateTable('sign_up').set(change).where('id', '=', id).execute()
}

/** @returns the deleted one that waits for approval, to exactly one of several simultaneous callers */
export async function takeWaitingSignUp(
  catalogue: InstallationData,
  id: string,
  moment: string,
): Promise<SignUpRow | null> {
  const row = await catalogue.kysely
    .deleteFrom('sign_up')
    .where('id', '=', id)
    .where('verified_at', 'is not', null)
    .where('expires_at', '>', moment)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** @returns the ids of expired ones, the earliest expired first */
export async function expiredSignUps(
  catalogue: InstallationData,
  moment: string,
  limit: number,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('sign_up')
    .select('id')
    .where('expires_at', '<=', moment)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteSignUps(catalogue: InstallationData, ids: readonly string[]): Promise<void> {
  await catalogue.kysely
    .deleteFrom('sign_up')
    .where('id', 'in', [...ids])
    .execute()
}
