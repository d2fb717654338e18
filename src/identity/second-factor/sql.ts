/** Statements on second factors. `prepareForUser` restricts them to one user, `prepareInCatalogue` to one tenant. */
import type { Insertable, Selectable } from 'kysely'
import type { CatalogueData, UserData } from '../../database/data.ts'
import { eachOf, pick, prepareForUser, prepareInCatalogue } from '../../database/prepared.ts'
import type { RecoveryCodeTable, TotpTable, WrongCodeTable } from './table.ts'

export type TotpRow = Selectable<TotpTable>
export type WrongCodeRow = Selectable<WrongCodeTable>

const totp = prepareForUser((tables, p: { state: TotpRow['state'] }) =>
  tables.selectFrom('totp').selectAll().where('state', '=', p.state),
)

export function findTotp(user: UserData, state: TotpRow['state']): Promise<TotpRow | null> {
  return user.first(totp, { state })
}

type NewTotp = Omit<Insertable<TotpTable>, 'account_id' | 'tenant_id'>

const totpColumns = ['state', 'secret', 'last_step', 'created_at'] as const

const totpAdded = prepareForUser((tables, p: NewTotp) =>
  tables.insertInto('totp').values(pick(p, totpColumns)),
)

export async function insertTotp(user: UserData, row: NewTotp): Promise<void> {
  await user.change(totpAdded, row)
}

const totpDeleted = eachOf(prepareForUser, (tables, p: { state?: TotpRow['state'] }, _dialect, given) => {
  const all = tables.deleteFrom('totp')
  return given.has('state') ? all.where('state', '=', p.state ?? 'active') : all
})

/**
 * Deletes secrets of authenticator apps.
 * @param state deletes both states if absent
 * @returns the number of deleted rows
 */
export function deleteTotp(user: UserData, state?: TotpRow['state']): Promise<number> {
  const parameters = state === undefined ? {} : { state }
  return user.change(totpDeleted(parameters), parameters)
}

interface Activation {
  last_step: number
  created_at: string
}

const activated = prepareForUser((tables, p: Activation) =>
  tables
    .updateTable('totp')
    .set({ last_step: p.last_step, created_at: p.created_at, state: 'active' })
    .where('state', '=', 'begun'),
)

/** Makes the generated secret the active one. */
export async function activateTotp(user: UserData, change: Activation): Promise<void> {
  await user.change(activated, change)
}

const stepTaken = prepareForUser((tables, p: { step: number }) =>
  tables
    .updateTable('totp')
    .set({ last_step: p.step })
    .where('state', '=', 'active')
    .where('last_step', '<', p.step),
)

/** Uses the code of a step. @returns `true` for exactly one of several simultaneous callers with the code */
export async function takeStep(user: UserData, step: number): Promise<boolean> {
  return (await user.change(stepTaken, { step })) === 1
}

type NewRecoveryCode = Omit<Insertable<RecoveryCodeTable>, 'account_id' | 'tenant_id'>

/** The statement is not prepared, because it depends on the number of rows. */
export async function insertRecoveryCodes(user: UserData, rows: readonly NewRecoveryCode[]): Promise<void> {
  await user.kysely
    .insertInto('recovery_code')
    .values([...rows])
    .execute()
}

const codesDeleted = prepareForUser((tables) => tables.deleteFrom('recovery_code'))

export async function deleteRecoveryCodes(user: UserData): Promise<void> {
  await user.change(codesDeleted, {})
}

const codeTaken = prepareForUser((tables, p: { hash: string }) =>
  tables.deleteFrom('recovery_code').where('hash', '=', p.hash),
)

/** Uses and deletes a code. @returns `true` for exactly one of several simultaneous callers */
export async function takeRecoveryCode(user: UserData, hash: string): Promise<boolean> {
  return (await user.change(codeTaken, { hash })) === 1
}

const codeCount = prepareForUser((tables) =>
  tables.selectFrom('recovery_code').select(({ fn }) => fn.countAll<number>().as('count')),
)

export async function countRecoveryCodes(user: UserData): Promise<number> {
  return (await user.first(codeCount, {}))?.count ?? 0
}

const wrongCodes = prepareForUser((tables) => tables.selectFrom('wrong_code').selectAll())

export function findWrongCodes(user: UserData): Promise<WrongCodeRow | null> {
  return user.first(wrongCodes, {})
}

type WrongCodes = Pick<WrongCodeRow, 'count' | 'last_at'>

const wrongCodesWritten = prepareForUser((tables, p: WrongCodes) => {
  const row = { count: p.count, last_at: p.last_at }
  return tables
    .insertInto('wrong_code')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
})

export async function upsertWrongCodes(user: UserData, row: WrongCodes): Promise<void> {
  await user.change(wrongCodesWritten, row)
}

const wrongCodesDeleted = prepareForUser((tables) => tables.deleteFrom('wrong_code'))

export function deleteWrongCodes(user: UserData): Promise<void> {
  return user.defer(wrongCodesDeleted, {})
}

const requirement = prepareInCatalogue((tables) =>
  tables.selectFrom('factor_requirement').select('copied_at'),
)

/** @returns when the requirement of the tenant was copied; `null` without a copy */
export async function findRequirement(catalogue: CatalogueData): Promise<string | null> {
  return (await catalogue.first(requirement, {}))?.copied_at ?? null
}

const requirementWritten = prepareInCatalogue((tables, p: { copiedAt: string }) =>
  tables
    .insertInto('factor_requirement')
    .values({ copied_at: p.copiedAt })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ copied_at: p.copiedAt })),
)

export async function upsertRequirement(catalogue: CatalogueData, copiedAt: string): Promise<void> {
  await catalogue.change(requirementWritten, { copiedAt })
}

const requirementDeleted = eachOf(prepareInCatalogue, (tables, p: { copiedAt?: string }, _dialect, given) => {
  const copy = tables.deleteFrom('factor_requirement')
  return given.has('copiedAt') ? copy.where('copied_at', '=', p.copiedAt ?? '') : copy
})

/** @param copiedAt deletes only a copy that was made at this time; any copy if `null` */
export async function deleteRequirement(
  catalogue: CatalogueData,
  copiedAt: string | null = null,
): Promise<void> {
  const parameters = copiedAt === null ? {} : { copiedAt }
  await catalogue.change(requirementDeleted(parameters), parameters)
}
