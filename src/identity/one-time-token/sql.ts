/** Statements on tokens. `prepareInCatalogue` restricts them to one tenant, `prepareForUser` to one user. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { CatalogueData, UserData } from '../../database/data.ts'
import { expiringRows } from '../../database/expiring-rows.ts'
import { eachOf, pick, prepareForUser, prepareInCatalogue } from '../../database/prepared.ts'
import type { OneTimeTokenTable } from './table.ts'

export type OneTimeTokenRow = Selectable<OneTimeTokenTable>
export type NewToken = Insertable<OneTimeTokenTable>

/** Finds a token that has this purpose and has not expired. */
export interface TokenKey {
  hash: string
  purpose: string
  /** The present time. */
  moment: string
}

const columns = ['hash', 'purpose', 'account_id', 'data', 'failures', 'created_at', 'expires_at'] as const

const added = prepareInCatalogue((tables, p: NewToken) =>
  tables.insertInto('one_time_token').values(pick(p, columns)),
)

export function insertToken(catalogue: CatalogueData, row: NewToken): Promise<void> {
  return catalogue.defer(added, row)
}

const addedOnce = prepareInCatalogue((tables, p: NewToken) =>
  tables
    .insertInto('one_time_token')
    .values(pick(p, columns))
    .onConflict((conflict) => conflict.column('hash').doNothing()),
)

/** @returns `false` if there is a token with this hash, also an expired one */
export async function insertNewToken(catalogue: CatalogueData, row: NewToken): Promise<boolean> {
  return (await catalogue.change(addedOnce, row)) === 1
}

const valid = prepareInCatalogue((tables, p: TokenKey) =>
  tables
    .selectFrom('one_time_token')
    .selectAll()
    .where('hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.moment),
)

export function findToken(catalogue: CatalogueData, key: TokenKey): Promise<OneTimeTokenRow | null> {
  return catalogue.first(valid, key)
}

const taken = prepareInCatalogue((tables, p: TokenKey) =>
  tables
    .deleteFrom('one_time_token')
    .where('hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.moment)
    .returningAll(),
)

/** @returns the token for exactly one of several simultaneous callers */
export function takeToken(catalogue: CatalogueData, key: TokenKey): Promise<OneTimeTokenRow | null> {
  return catalogue.first(taken, key)
}

const failed = prepareInCatalogue((tables, p: TokenKey) =>
  tables
    .updateTable('one_time_token')
    .set({ failures: sql<number>`failures + 1` })
    .where('hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.moment)
    .returning('failures'),
)

/** @returns the number of failures, or `null` if there is no such token */
export async function addFailure(catalogue: CatalogueData, key: TokenKey): Promise<number | null> {
  return (await catalogue.first(failed, key))?.failures ?? null
}

interface Withdrawal {
  /** Deletes only tokens for this purpose; all tokens of the user if absent. */
  purpose?: string
  /** The hash of a token that stays. */
  keptHash?: string
}

const withdrawn = eachOf(prepareForUser, (tables, p: Withdrawal, _dialect, given) =>
  tables
    .deleteFrom('one_time_token')
    .$if(given.has('purpose'), (query) => query.where('purpose', '=', p.purpose ?? ''))
    .$if(given.has('keptHash'), (query) => query.where('hash', '<>', p.keptHash ?? '')),
)

export async function deleteTokensOf(user: UserData, which: Withdrawal): Promise<void> {
  await user.change(withdrawn(which), which)
}

export const expiringTokens = expiringRows('one_time_token', 'hash')
