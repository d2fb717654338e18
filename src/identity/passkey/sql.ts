import { type Insertable, type Selectable, sql } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type { PasskeyTable } from '../../database/factor-tables.ts'

export type PasskeyRow = Selectable<PasskeyTable>

/** In the order of creation. */
export function passkeysOf(catalogue: InstallationData, accountId: string): Promise<PasskeyRow[]> {
  const query = catalogue.kysely.selectFrom('passkey').selectAll().where('account_id', '=', accountId)
  return query.orderBy('id').execute()
}

export async function countPasskeyRows(catalogue: InstallationData, accountId: string): Promise<number> {
  const { count } = await catalogue.kysely
    .selectFrom('passkey')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

export async function findByCredential(
  catalogue: InstallationData,
  tenantId: string,
  credentialId: string,
): Promise<PasskeyRow | null> {
  const query = catalogue.kysely.selectFrom('passkey').selectAll().where('tenant_id', '=', tenantId)
  return (await query.where('credential_id', '=', credentialId).executeTakeFirst()) ?? null
}

export async function insertPasskey(
  catalogue: InstallationData,
  row: Insertable<PasskeyTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('passkey').values(row).execute()
}

/** @returns `null` without such a passkey of the user */
export async function renamePasskeyRow(
  catalogue: InstallationData,
  { accountId, id }: { accountId: string; id: string },
  name: string,
): Promise<PasskeyRow | null> {
  const row = await catalogue.kysely
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Stores a use. Authenticators that do not count send 0 each time.
 * @returns whether the passkey is still there, and its counter is lower
 */
export async function recordUse(
  catalogue: InstallationData,
  id: string,
  { counter, moment }: { counter: number; moment: string },
): Promise<boolean> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('passkey')
    .set({ counter, last_used_at: moment })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} OR (counter = 0 AND ${counter} = 0))`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @param id deletes all passkeys of the user if absent @returns how many there were */
export async function deletePasskeys(
  catalogue: InstallationData,
  accountId: string,
  id?: string,
): Promise<number> {
  const query = catalogue.kysely.deleteFrom('passkey').where('account_id', '=', accountId)
  const some = id === undefined ? query : query.where('id', '=', id)
  return Number((await some.executeTakeFirst()).numDeletedRows)
}
