import { type Context, now } from '../../context.ts'
import type { SettingValues } from './declared.ts'
import { lockSettings } from './sql.ts'

/** Inside a transaction: the settings as they are stored, which nobody else changes until it ends. */
export async function lockTenantSettings(inside: Context): Promise<SettingValues> {
  const { content } = await lockSettings(inside.data, now(inside))
  return inside.shared.tenantSettings.declared.valuesOf(JSON.parse(content) as SettingValues) // written as an object
}
