/** The statements on the table that counts how much tenants use the service. */
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import { inJsonRows, jsonRows, namesOf } from '../../database/json-rows.ts'
import { prepareForInstallation } from '../../database/prepared.ts'
import type { TenantUsageTable } from './table.ts'

export type UsageRow = Selectable<TenantUsageTable>

const columns = {
  tenant_key: 'key',
  period: 'key',
  requests: 'integer',
  errors: 'integer',
  sign_ins: 'integer',
} as const

const added = prepareForInstallation((tables, p: { rows: string }, dialect) =>
  tables
    .insertInto('tenant_usage')
    .columns(namesOf(columns))
    .expression((from) =>
      from
        .selectFrom(jsonRows<UsageRow>(dialect, p.rows, columns))
        .selectAll()
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('tenant').select('id').whereRef('tenant.id_key', '=', 'given.tenant_key')),
        ),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_key', 'period']).doUpdateSet({
        requests: sql`tenant_usage.requests + excluded.requests`,
        errors: sql`tenant_usage.errors + excluded.errors`,
        sign_ins: sql`tenant_usage.sign_ins + excluded.sign_ins`,
      }),
    ),
)

/**
 * Adds to what other instances have counted, for tenants that are not erased.
 * @param rows in the order of their keys, so that instances that write the same rows do not deadlock
 */
export async function addUsage(installation: InstallationData, rows: readonly UsageRow[]): Promise<void> {
  await installation.change(added, { rows: JSON.stringify(rows) })
}

/** Periods are compared as texts. Their first character is `d` for days or `h` for hours. */
interface PeriodRange {
  /** The first period. */
  from: string
  /** The period after the last. */
  to: string
}

const ofTenants = prepareForInstallation((tables, p: PeriodRange & { keys: string }, dialect) =>
  tables
    .selectFrom('tenant_usage')
    .selectAll()
    .where(inJsonRows(dialect, 'tenant_key', { json: p.keys, name: 'key', type: 'key' }))
    .where('period', '>=', p.from)
    .where('period', '<', p.to),
)

export function usageOf(
  installation: InstallationData,
  keys: readonly string[],
  range: PeriodRange,
): Promise<UsageRow[]> {
  return installation.all(ofTenants, { ...range, keys: JSON.stringify(keys.map((key) => ({ key }))) })
}

type UsageKey = Pick<UsageRow, 'tenant_key' | 'period'>

const within = prepareForInstallation((tables, p: PeriodRange & { limit: number }) =>
  tables
    .selectFrom('tenant_usage')
    .select(['tenant_key', 'period'])
    .where('period', '>=', p.from)
    .where('period', '<', p.to)
    .limit(p.limit),
)

export function usageWithin(
  installation: InstallationData,
  range: PeriodRange,
  limit: number,
): Promise<UsageKey[]> {
  return installation.all(within, { ...range, limit })
}

const removed = prepareForInstallation((tables, p: UsageKey) =>
  tables.deleteFrom('tenant_usage').where('tenant_key', '=', p.tenant_key).where('period', '=', p.period),
)

/** To be called inside a transaction. */
export async function deleteUsage(installation: InstallationData, keys: readonly UsageKey[]): Promise<void> {
  for (const key of keys) await installation.defer(removed, key)
}

const removedOfTenant = prepareForInstallation((tables, p: { key: string }) =>
  tables.deleteFrom('tenant_usage').where('tenant_key', '=', p.key),
)

/** @param key the tenant's case-folded id */
export async function deleteUsageOf(installation: InstallationData, key: string): Promise<void> {
  await installation.change(removedOfTenant, { key })
}
