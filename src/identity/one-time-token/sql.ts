import { type Insertable, type Selectable, sql } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type { OneTimeTokenTable } from '../../database/identity-tables.ts'

export type OneTimeTokenRow = Selectable<OneTimeTokenTable>

/** Which token: of a tenant, for a purpose, and not expired. */
export interface TokenKey {
  hash: string
  purpose: string
  tenantId: string
  moment: string
}

export async function insertToken(
  catalogue: InstallationData,
  row: Insertable<OneTimeTokenTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('one_time_token').values(row).execute()
}

/** @returns `false` if there is one with its hash, also an expired one */
export async function insertNewToken(
  catalogue: InstallationData,
  row: Insertable<OneTimeTokenTable>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await catalogue.kysely
    .insertInto('one_time_token')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function findToken(catalogue: InstallationData, key: TokenKey): Promise<OneTimeTokenRow | null> {
  const row = await catalogue.kysely
    .selectFrom('one_time_token')
    .selectAll()
    .where('hash', '=', key.hash)
    .where('purpose', '=', key.purpose)
    .where('tenant_id', '=', key.tenantId)
    .where('expires_at', '>', key.moment)
    .executeTakeFirst()
  return row ?? null
}

/** @returns the token for exactly one of several simultaneous callers */
export async function takeToken(catalogue: InstallationData, key: TokenKey): Promise<OneTimeTokenRow | null> {
  const row = await catalogue.kysely
    .deleteFrom('one_time_token')
    .where('hash', '=', key.hash)
    .where('purpose', '=', key.purpose)
    .where('tenant_id', '=', key.tenantId)
    .where('expires_at', '>', key.moment)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** @returns the number of failures, or `null` if there is no such token */
export async function addFailure(catalogue: InstallationData, key: TokenKey): Promise<number | null> {
  const row = await catalogue.kysely
    .updateTable('one_time_token')
    .set({ failures: sql<number>`failures + 1` })
    .where('hash', '=', key.hash)
    .where('purpose', '=', key.purpose)
    .where('tenant_id', '=', key.tenantId)
    .where('expires_at', '>', key.moment)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? null
}

/** @param purpose deletes those for this purpose, or all of the user if `null` @param keptHash of one that stays */
export async function deleteTokensOf(
  catalogue: InstallationData,
  accountId: string,
  { purpose, keptHash }: { purpose: string | null; keptHash: string | null },
): Promise<void> {
  let query = catalogue.kysely.deleteFrom('one_time_token').where('account_id', '=', accountId)
  if (purpose !== null) query = query.where('purpose', '=', purpose)
  if (keptHash !== null) query = query.where('hash', '<>', keptHash)
  await query.execute()
}

/** @returns the hashes of expired tokens, the earliest expired first */
export async function tokensExpiredBefore(
  catalogue: InstallationData,
  moment: string,
  limit: number,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('one_time_token')
    .select('hash')
    .where('expires_at', '<', moment)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ hash }) => hash)
}

export async function deleteTokens(catalogue: InstallationData, hashes: readonly string[]): Promise<void> {
  await catalogue.kysely
    .deleteFrom('one_time_token')
    .where('hash', 'in', [...hashes])
    .execute()
}
