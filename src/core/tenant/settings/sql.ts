import type { TenantData } from '../../../database/data.ts'
import { lockedIn } from '../../../database/locked-rows.ts'
import { prepare } from '../../../database/prepared.ts'

/** The statements on the settings of a tenant, which are one row. */

export interface SettingsRow {
  /** An object as JSON: the values that the tenant has set, by name. */
  content: string
  version: number
  updated_at: string
}

const columns = ['content', 'version', 'updated_at'] as const

const own = prepare((tables) => tables.selectFrom('tenant_setting').select(columns))

const ownLocked = prepare((tables, _: object, dialect) =>
  tables.selectFrom('tenant_setting').select(columns).$call(lockedIn(dialect)),
)

const insert = prepare((tables, p: { updated_at: string }) =>
  tables
    .insertInto('tenant_setting')
    .values({ content: '{}', version: 0, updated_at: p.updated_at })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing()),
)

const replace = prepare((tables, p: SettingsRow) =>
  tables
    .updateTable('tenant_setting')
    .set({ content: p.content, version: p.version, updated_at: p.updated_at }),
)

/** @returns `null` for a tenant that has never set anything */
export function findSettings(data: TenantData): Promise<SettingsRow | null> {
  return data.first(own, {})
}

/** Locks the row until the transaction ends, and creates it for a tenant without one. */
export async function lockSettings(data: TenantData, moment: string): Promise<SettingsRow> {
  await data.change(insert, { updated_at: moment })
  const row = await data.first(ownLocked, {})
  if (row === null) throw new Error('The settings of the tenant were removed during a change.')
  return row
}

export async function replaceSettings(data: TenantData, row: SettingsRow): Promise<void> {
  await data.change(replace, row)
}
