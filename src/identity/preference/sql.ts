/** Statements on preferences. `prepareForUser` restricts them to one user. */
import type { Selectable } from 'kysely'
import type { UserData } from '../../database/data.ts'
import { pick, prepareForUser } from '../../database/prepared.ts'
import type { PreferenceTable } from './table.ts'

export type PreferenceRow = Pick<Selectable<PreferenceTable>, (typeof columns)[number]>

const columns = ['name', 'value', 'version', 'updated_at'] as const

const all = prepareForUser((tables) => tables.selectFrom('preference').select(columns).orderBy('name'))

/** @returns the preferences, sorted by name */
export function preferencesOf(user: UserData): Promise<PreferenceRow[]> {
  return user.all(all, {})
}

const byName = prepareForUser((tables, p: { name: string }) =>
  tables.selectFrom('preference').select(columns).where('name', '=', p.name),
)

export function findPreference(user: UserData, name: string): Promise<PreferenceRow | null> {
  return user.first(byName, { name })
}

const counted = prepareForUser((tables) =>
  tables.selectFrom('preference').select(({ fn }) => fn.countAll<number>().as('count')),
)

export async function countPreferences(user: UserData): Promise<number> {
  return Number((await user.first(counted, {}))?.count ?? 0)
}

const added = prepareForUser((tables, p: PreferenceRow) =>
  tables.insertInto('preference').values(pick(p, columns)),
)

export async function insertPreference(user: UserData, row: PreferenceRow): Promise<void> {
  await user.change(added, row)
}

const changed = prepareForUser((tables, p: PreferenceRow) =>
  tables
    .updateTable('preference')
    .set({ value: p.value, version: p.version, updated_at: p.updated_at })
    .where('name', '=', p.name),
)

export async function updatePreference(user: UserData, row: PreferenceRow): Promise<void> {
  await user.change(changed, row)
}

const deleted = prepareForUser((tables, p: { name: string }) =>
  tables.deleteFrom('preference').where('name', '=', p.name),
)

export async function deletePreference(user: UserData, name: string): Promise<void> {
  await user.change(deleted, { name })
}
