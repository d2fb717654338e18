import { type SqlBool, sql } from 'kysely'
import { defer, type TenantData } from '../../database/data.ts'
import { prepare } from '../../database/prepared.ts'

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

const expire = prepare((tables, row: { key: string; before: string; limit: number }, dialect) => {
  const old = tables
    .selectFrom('idempotency')
    .select('key')
    .where('created_at', '<', row.before)
    .orderBy('created_at')
    .limit(row.limit)
  // Rows that another request is removing are skipped.
  const some = dialect === 'postgres' ? old.forUpdate().skipLocked() : old
  const own = tables
    .selectFrom('idempotency')
    .select('key')
    .where('key', '=', row.key)
    .where('created_at', '<', row.before)
  const keys = tables.selectFrom(some.as('old')).select('old.key').unionAll(own)
  const removed = tables.deleteFrom('idempotency')
  // Looks up each row by key, whatever the statistics.
  return dialect === 'postgres'
    ? removed.where(sql<SqlBool>`key = any(array(${keys}))`)
    : removed.where('key', 'in', keys)
})

/** @returns whether this request reserved the key, and the number of former digest keys */
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

/** The statement is sent with the next one, or with the commit. */
export async function storeOutcome(data: TenantData, key: string, outcome: Uint8Array): Promise<void> {
  await defer(data, store, { key, outcome })
}

/** @returns the keys after one, in order */
export async function keysAfter(data: TenantData, after: string, limit: number): Promise<string[]> {
  const next = data.kysely.selectFrom('idempotency').select('key').where('key', '>', after)
  return (await next.orderBy('key').limit(limit).execute()).map(({ key }) => key)
}

export function outcomesOf(
  data: TenantData,
  keys: readonly string[],
): Promise<{ key: string; outcome: Uint8Array }[]> {
  const rows = data.kysely.selectFrom('idempotency').select(['key', 'outcome'])
  return rows.where('key', 'in', [...keys]).execute()
}

export async function deleteOutcome(data: TenantData, key: string): Promise<void> {
  await data.kysely.deleteFrom('idempotency').where('key', '=', key).execute()
}

/** The maximum number of expired records that one use removes: more than it adds, and few enough to be fast. */
const maxExpired = 20

/** Removes some expired records of the tenant, and the record of this key if it has expired. */
export async function expireOutcomes(data: TenantData, key: string, before: string): Promise<void> {
  await data.change(expire, { key, before, limit: maxExpired })
}

const formerKeys = prepare((tables) =>
  tables.selectFrom('idempotency_former_key').select('key').orderBy('id'),
)

/** @returns the encrypted digest keys of former installations */
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
