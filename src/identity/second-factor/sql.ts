import type { Insertable, Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type {
  FactorRequirementTable,
  RecoveryCodeTable,
  TotpTable,
  WrongCodeTable,
} from '../../database/factor-tables.ts'

export type TotpRow = Selectable<TotpTable>
export type WrongCodeRow = Selectable<WrongCodeTable>

export async function findTotp(
  catalogue: InstallationData,
  accountId: string,
  state: TotpRow['state'],
): Promise<TotpRow | null> {
  const query = catalogue.kysely.selectFrom('totp').selectAll().where('account_id', '=', accountId)
  return (await query.where('state', '=', state).executeTakeFirst()) ?? null
}

export async function insertTotp(catalogue: InstallationData, row: Insertable<TotpTable>): Promise<void> {
  await catalogue.kysely.insertInto('totp').values(row).execute()
}

/** @param state deletes both if absent @returns how many there were */
export async function deleteTotp(
  catalogue: InstallationData,
  accountId: string,
  state?: TotpRow['state'],
): Promise<number> {
  const query = catalogue.kysely.deleteFrom('totp').where('account_id', '=', accountId)
  const some = state === undefined ? query : query.where('state', '=', state)
  return Number((await some.executeTakeFirst()).numDeletedRows)
}

/** The secret that was begun becomes the active one. */
export async function activateTotp(
  catalogue: InstallationData,
  accountId: string,
  change: { last_step: number; created_at: string },
): Promise<void> {
  await catalogue.kysely
    .updateTable('totp')
    .set({ ...change, state: 'active' })
    .where('account_id', '=', accountId)
    .where('state', '=', 'begun')
    .execute()
}

/** @returns `true` for exactly one of several simultaneous callers with the code of a step */
export async function takeStep(
  catalogue: InstallationData,
  accountId: string,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('state', '=', 'active')
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function insertRecoveryCodes(
  catalogue: InstallationData,
  rows: readonly Insertable<RecoveryCodeTable>[],
): Promise<void> {
  await catalogue.kysely
    .insertInto('recovery_code')
    .values([...rows])
    .execute()
}

export async function deleteRecoveryCodes(catalogue: InstallationData, accountId: string): Promise<void> {
  await catalogue.kysely.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}

/** @returns `true` for exactly one of several simultaneous callers */
export async function takeRecoveryCode(
  catalogue: InstallationData,
  accountId: string,
  hash: string,
): Promise<boolean> {
  const { numDeletedRows } = await catalogue.kysely
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countRecoveryCodes(catalogue: InstallationData, accountId: string): Promise<number> {
  const { count } = await catalogue.kysely
    .selectFrom('recovery_code')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

export async function findWrongCodes(
  catalogue: InstallationData,
  accountId: string,
): Promise<WrongCodeRow | null> {
  const query = catalogue.kysely.selectFrom('wrong_code').selectAll().where('account_id', '=', accountId)
  return (await query.executeTakeFirst()) ?? null
}

export async function upsertWrongCodes(catalogue: InstallationData, row: WrongCodeRow): Promise<void> {
  const { count, last_at } = row
  await catalogue.kysely
    .insertInto('wrong_code')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ count, last_at }))
    .execute()
}

export async function deleteWrongCodes(catalogue: InstallationData, accountId: string): Promise<void> {
  await catalogue.kysely.deleteFrom('wrong_code').where('account_id', '=', accountId).execute()
}

/** @returns when the requirement of the tenant was copied; `null` without a copy */
export async function findRequirement(catalogue: InstallationData, tenantId: string): Promise<string | null> {
  const query = catalogue.kysely.selectFrom('factor_requirement').select('copied_at')
  return (await query.where('tenant_id', '=', tenantId).executeTakeFirst())?.copied_at ?? null
}

export async function upsertRequirement(
  catalogue: InstallationData,
  row: Insertable<FactorRequirementTable>,
): Promise<void> {
  const { copied_at } = row
  await catalogue.kysely
    .insertInto('factor_requirement')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ copied_at }))
    .execute()
}

/** @param copiedAt deletes only the copy that was made then */
export async function deleteRequirement(
  catalogue: InstallationData,
  tenantId: string,
  copiedAt: string | null = null,
): Promise<void> {
  let query = catalogue.kysely.deleteFrom('factor_requirement').where('tenant_id', '=', tenantId)
  if (copiedAt !== null) query = query.where('copied_at', '=', copiedAt)
  await query.execute()
}
