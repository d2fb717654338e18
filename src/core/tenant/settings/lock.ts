import { type Context, now } from '../../context.ts'
import type { SettingValues } from './declared.ts'
import { lockSettings } from './sql.ts'

/** Reads the stored settings, and locks them: nobody else changes them until the transaction ends. */
export async function lockTenantSettings(inside: Context): Promise<SettingValues> {
  const { content } = await lockSettings(inside.data, now(inside))
  return inside.shared.tenantSettings.declared.valuesOf(JSON.parse(content) as SettingValues) // written as an object
}
