/** Reads and changes the settings of the context's tenant. */
import { recordTenantAudit } from '../../core/audit/audit.ts'
import { type Actor, type Context, hostTenantId, now } from '../../core/context.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import type { Precondition } from '../../core/precondition.ts'
import type { SettingValues } from '../../core/tenant/settings/declared.ts'
import {
  findSettings,
  lockSettings,
  replaceSettings,
  type SettingsRow,
} from '../../core/tenant/settings/sql.ts'
import { inTransaction } from '../../core/transaction.ts'
import { endImpersonations } from '../../identity/impersonation/impersonation.ts'
import { defaultRoleName, requireDefaultRole } from '../../identity/role/default-role.ts'
import { copyRequirement } from '../../identity/second-factor/requirement.ts'

/** The maximum size of all values of a tenant, as JSON. */
const maxContentBytes = 64 * 1024

export interface VersionedSettings {
  values: SettingValues
  /** Changes with every value, also if a new version of the service has another default. */
  version: number
  updatedAt?: string
}

/** Reads all settings from the database. */
export async function getTenantSettings(context: Context): Promise<VersionedSettings> {
  return versioned(context, (await findSettings(context.data)) ?? neverChanged)
}

/** Reads the settings that everybody may read. They are cached. */
export async function getPublicTenantSettings(context: Context): Promise<SettingValues> {
  const { tenantSettings } = context.shared
  return tenantSettings.declared.publicOf(await tenantSettings.read(context))
}

/**
 * Sets the given settings; the others stay unchanged. With `null` a setting gets its default again.
 * @throws ServiceError `invalid` that names a setting which is unknown or does not match its schema;
 *   `preconditionFailed`; `forbidden` for a default role that the actor may not grant, and for a setting of the host
 */
export async function updateTenantSettings(
  context: Context,
  input: unknown,
  precondition: Precondition = null,
): Promise<VersionedSettings> {
  const { declared } = context.shared.tenantSettings
  const change = declared.readChange(input)
  requireHost(context, declared.forHost(Object.keys(change)))
  await requireDefaultRole(context, change[defaultRoleName], declared.defaults[defaultRoleName])
  return inTransaction(context, async (inside) => {
    const before = await lockSettings(inside.data, now(inside))
    precondition?.(versioned(inside, before))
    const after = changed(inside, before, change)
    const names = Object.keys(change).filter((name) => !isSame(name, before, after))
    if (names.length === 0) return versioned(inside, before)
    if (Buffer.byteLength(after.content) > maxContentBytes) throw tooLarge()
    await replaceSettings(inside.data, after)
    await recordChange(inside, names, before, after)
    if (storedIn(after)['allowImpersonation'] === false) await endImpersonations(inside)
    await copyRequirement(inside, storedIn(after)['requireSecondFactor'] === true)
    await inside.shared.tenantSettings.changed(inside)
    return versioned(inside, after)
  })
}

/** Refuses a setting that only the host tenant changes, unless code of the service changes it without a caller. */
function requireHost({ actor, authority }: Context, [name]: readonly string[]): void {
  if (name === undefined || actor === null || authority === 'tenant' || isOfHost(actor)) return
  throw refusal('settingSetByHost', { setting: name })
}

function isOfHost({ tenantId, permissions }: Actor): boolean {
  return tenantId === hostTenantId && permissions.has('operation:write')
}

/** The settings of a tenant that has never changed one. */
const neverChanged: SettingsRow = { content: '{}', version: 0, updated_at: '' }

/** The revision of the declared settings has 20 bits, so that it fits below the version of the row. */
const revisions = 2 ** 20

function versioned({ shared }: Context, row: SettingsRow): VersionedSettings {
  const { declared } = shared.tenantSettings
  return {
    values: declared.valuesOf(storedIn(row)),
    version: row.version * revisions + declared.revision,
    ...(row.updated_at !== '' && { updatedAt: row.updated_at }),
  }
}

function storedIn({ content }: SettingsRow): SettingValues {
  return JSON.parse(content) as SettingValues // written as an object
}

function changed(inside: Context, before: SettingsRow, change: SettingValues): SettingsRow {
  const stored = Object.entries({ ...storedIn(before), ...change }).filter(([, value]) => value !== null)
  const content = JSON.stringify(Object.fromEntries(stored))
  return { content, version: before.version + 1, updated_at: now(inside) }
}

function isSame(name: string, before: SettingsRow, after: SettingsRow): boolean {
  return JSON.stringify(storedIn(before)[name]) === JSON.stringify(storedIn(after)[name])
}

async function recordChange(
  inside: Context,
  names: string[],
  before: SettingsRow,
  after: SettingsRow,
): Promise<void> {
  const { shared, tenant } = inside
  const { declared } = shared.tenantSettings
  const [old, current] = [before, after].map((row) => declared.valuesOf(storedIn(row)))
  await publish(inside, 'tenant.configured', { tenantId: tenant.id, changed: names })
  await recordTenantAudit(inside, {
    action: 'tenant.configured',
    tenantId: tenant.id,
    subjectType: 'tenantSettings', // records about a `tenant` outlive it
    subjectId: null,
    detail: Object.fromEntries(names.map((name) => [name, { before: old?.[name], after: current?.[name] }])),
  })
}

function tooLarge(): ServiceError {
  return refusal('settingsTooLarge', { limit: maxContentBytes / 1024 })
}
