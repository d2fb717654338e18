import type { Selectable } from 'kysely'
import type { TenantData } from '../../../database/data.ts'
import { lockedIn } from '../../../database/locked-rows.ts'
import { pick, prepare } from '../../../database/prepared.ts'
import { lockForTenant } from '../../../database/tenant-lock.ts'
import type { WebhookProviderTable } from '../table.ts'

const columns = ['name', 'scheme', 'secrets', 'tolerance_seconds', 'created_at', 'updated_at'] as const

export type ProviderRow = Pick<Selectable<WebhookProviderTable>, (typeof columns)[number]>

const byName = prepare((tables, p: { name: string }) =>
  tables.selectFrom('webhook_provider').select(columns).where('name', '=', p.name),
)

const byNameLocked = prepare((tables, p: { name: string }, dialect) =>
  tables.selectFrom('webhook_provider').select(columns).where('name', '=', p.name).$call(lockedIn(dialect)),
)

const all = prepare((tables) => tables.selectFrom('webhook_provider').select(columns).orderBy('name'))

const count = prepare((tables) =>
  tables.selectFrom('webhook_provider').select(({ fn }) => fn.countAll<number>().as('number')),
)

const upsert = prepare((tables, p: ProviderRow) =>
  tables
    .insertInto('webhook_provider')
    .values(pick(p, columns))
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'name'])
        .doUpdateSet(pick(p, ['scheme', 'secrets', 'tolerance_seconds', 'updated_at'])),
    ),
)

const remove = prepare((tables, p: { name: string }) =>
  tables.deleteFrom('webhook_provider').where('name', '=', p.name),
)

export function findProvider(data: TenantData, name: string): Promise<ProviderRow | null> {
  return data.first(byName, { name })
}

export function findProviderForUpdate(data: TenantData, name: string): Promise<ProviderRow | null> {
  return data.first(byNameLocked, { name })
}

export function allProviders(data: TenantData): Promise<ProviderRow[]> {
  return data.all(all, {})
}

/** Locks the providers of the tenant: until this transaction ends, no other transaction adds one. */
export async function lockProviders(data: TenantData): Promise<void> {
  await lockForTenant(data, 'providers')
}

export async function countProviders(data: TenantData): Promise<number> {
  return (await data.first(count, {}))?.number ?? 0
}

export async function saveProvider(data: TenantData, row: ProviderRow): Promise<void> {
  await data.change(upsert, row)
}

export async function deleteProviderRow(data: TenantData, name: string): Promise<void> {
  await data.change(remove, { name })
}
