/** Statements on passkeys. `prepareForUser` restricts its statements to one user, `prepareInCatalogue` to one tenant. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { CatalogueData, UserData } from '../../database/data.ts'
import { eachOf, pick, prepareForUser, prepareInCatalogue } from '../../database/prepared.ts'
import type { PasskeyTable } from './table.ts'

export type PasskeyRow = Selectable<PasskeyTable>

const ofUser = prepareForUser((tables) => tables.selectFrom('passkey').selectAll().orderBy('id'))

/** @returns the passkeys in the order of creation */
export function passkeysOf(user: UserData): Promise<PasskeyRow[]> {
  return user.all(ofUser, {})
}

const counted = prepareForUser((tables) =>
  tables.selectFrom('passkey').select(({ fn }) => fn.countAll<number>().as('count')),
)

export async function countPasskeyRows(user: UserData): Promise<number> {
  return (await user.first(counted, {}))?.count ?? 0
}

const byCredential = prepareInCatalogue((tables, p: { credentialId: string }) =>
  tables.selectFrom('passkey').selectAll().where('credential_id', '=', p.credentialId),
)

export function findByCredential(catalogue: CatalogueData, credentialId: string): Promise<PasskeyRow | null> {
  return catalogue.first(byCredential, { credentialId })
}

type NewPasskey = Omit<Insertable<PasskeyTable>, 'account_id' | 'tenant_id'>

const columns = [
  'id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'name',
  'created_at',
  'last_used_at',
] as const

const added = prepareForUser((tables, p: NewPasskey) => tables.insertInto('passkey').values(pick(p, columns)))

export async function insertPasskey(user: UserData, row: NewPasskey): Promise<void> {
  await user.change(added, row)
}

const renamed = prepareForUser((tables, p: { id: string; name: string }) =>
  tables.updateTable('passkey').set({ name: p.name }).where('id', '=', p.id).returningAll(),
)

/** @returns `null` if the user has no such passkey */
export function renamePasskeyRow(user: UserData, id: string, name: string): Promise<PasskeyRow | null> {
  return user.first(renamed, { id, name })
}

interface Use {
  counter: number
  moment: string
}

const used = prepareForUser((tables, p: Use & { id: string }) =>
  tables
    .updateTable('passkey')
    .set({ counter: p.counter, last_used_at: p.moment })
    .where('id', '=', p.id)
    .where(sql<boolean>`(counter < ${p.counter} OR (counter = 0 AND ${p.counter} = 0))`),
)

/**
 * Stores a use. Authenticators that do not count send 0 each time.
 * @returns whether the passkey still exists and its stored counter is lower: otherwise the authenticator may be a copy
 */
export async function recordUse(user: UserData, id: string, use: Use): Promise<boolean> {
  return (await user.change(used, { ...use, id })) === 1
}

const deleted = eachOf(prepareForUser, (tables, p: { id?: string }, _dialect, given) => {
  const all = tables.deleteFrom('passkey')
  return given.has('id') ? all.where('id', '=', p.id ?? '') : all
})

/** @param id deletes all passkeys of the user if absent @returns how many there were */
export function deletePasskeys(user: UserData, id?: string): Promise<number> {
  const parameters = id === undefined ? {} : { id }
  return user.change(deleted(parameters), parameters)
}
