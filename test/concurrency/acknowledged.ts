/** What a load was promised, against what is there. */
import type { Store } from '../process/stored.ts'

export function isAmong(some: Iterable<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one))
}

/** @returns what was acknowledged and is not stored so */
export async function missing(
  store: Pick<Store, 'rows'>,
  expected: ReadonlyMap<string, string>,
): Promise<string[]> {
  const rows = await store.rows(
    `SELECT id::text, 'price ' || round(price) AS state FROM product
     UNION ALL SELECT id::text, status FROM sales_order
     UNION ALL SELECT event_id, 'received' FROM webhook_receipt`,
  )
  const stored = new Map(rows.map(({ id, state }) => [String(id), String(state)]))
  return [...expected]
    .filter(([id, state]) => (stored.get(id) ?? 'gone') !== state)
    .map(([id, state]) => `${id}: ${stored.get(id)} instead of ${state}`)
}
