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
    .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doNothing())
    .returning(({ selectFrom }) =>
      selectFrom('idempotency_former_key')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('formerKeys'),
    ),
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

/** @returns whether the key is ours, or was taken before; and of how many former keys it may be known by */
export async function reserveKey(
  data: TenantData,
  row: Reservation,
): Promise<{ isOurs: boolean; formerKeys: number }> {
  const reserved = await data.first(reserve, row)
  return { isOurs: reserved !== null, formerKeys: reserved?.formerKeys ?? 0 }
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

const formerKeys = prepare((tables) =>
  tables.selectFrom('idempotency_former_key').select('key').orderBy('id'),
)

/** Encrypted. */
export async function findFormerKeys(data: TenantData): Promise<Uint8Array[]> {
  return (await data.all(formerKeys, {})).map(({ key }) => key)
}

export async function insertFormerKey(
  data: TenantData,
  row: { id: string; key: Uint8Array; created_at: string },
): Promise<void> {
  await data.kysely.insertInto('idempotency_former_key').values(row).execute()
}

export async function expireFormerKeys(data: TenantData, before: string): Promise<void> {
  await data.kysely.deleteFrom('idempotency_former_key').where('created_at', '<', before).execute()
}
