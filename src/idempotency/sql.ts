import type { TenantData } from '../database/data.ts'
import { prepare } from '../database/prepared.ts'

interface Reservation {
  key: string
  fingerprint: string
  outcome: Uint8Array
  created_at: string
}

const reserve = prepare((tables, row: Reservation) =>
  tables
    .insertInto('idempotency')
    .values({ key: row.key, fingerprint: row.fingerprint, outcome: row.outcome, created_at: row.created_at })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doNothing()),
)

const byKey = prepare((tables, row: { key: string }) =>
  tables.selectFrom('idempotency').select(['fingerprint', 'outcome']).where('key', '=', row.key),
)

const store = prepare((tables, row: { key: string; outcome: Uint8Array }) =>
  tables.updateTable('idempotency').set({ outcome: row.outcome }).where('key', '=', row.key),
)

const expire = prepare((tables, row: { before: string }) =>
  tables.deleteFrom('idempotency').where('created_at', '<', row.before),
)

/** @returns 1 when the key is ours, 0 when it was taken before */
export function reserveKey(data: TenantData, row: Reservation): Promise<number> {
  return data.change(reserve, row)
}

export function findOutcome(data: TenantData, key: string) {
  return data.first(byKey, { key })
}

export async function storeOutcome(data: TenantData, key: string, outcome: Uint8Array): Promise<void> {
  await data.change(store, { key, outcome })
}

export function listOutcomes(data: TenantData): Promise<{ key: string; outcome: Uint8Array }[]> {
  return data.kysely.selectFrom('idempotency').select(['key', 'outcome']).execute()
}

export async function deleteOutcome(data: TenantData, key: string): Promise<void> {
  await data.kysely.deleteFrom('idempotency').where('key', '=', key).execute()
}

/** Each use clears what the tenant's earlier ones left behind. */
export async function expireOutcomes(data: TenantData, before: string): Promise<void> {
  await data.change(expire, { before })
}
