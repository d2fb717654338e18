/** Compares what was acknowledged to a load with what is stored. */
import type { Client } from '../support/client.ts'
import type { Store } from '../support/database/store.ts'
import { subscribe } from '../support/webhooks/delivery-scene.ts'
import { addRule, setProvider } from '../support/webhooks/provider.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { eventOf } from './mixed-load.ts'

/** Receives every event of a `MixedLoad`, and lets its incoming webhooks publish. */
export async function hearAll(user: Client) {
  const delivered = new Set<string>()
  const receiver = await startReceiver((response, { body }) => {
    delivered.add(eventOf(body))
    response.end()
  })
  await subscribe(user, receiver, { events: ['product.*', 'order.*', 'stripe.*'] })
  await setProvider(user)
  await addRule(user, 'publish')
  return { delivered, close: () => receiver.close() }
}

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
