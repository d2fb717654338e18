/** Products, orders of them, and the events of a tenant. */
import assert from 'node:assert/strict'
import type { Client } from './client.ts'
import { inspect } from './database/inspect.ts'
import type { TestService } from './service.ts'

export interface Product {
  id: string
  name: string
  price: number
}

export async function newProduct(user: Client, members: Record<string, unknown> = {}): Promise<Product> {
  const made = await user.post('/api/products', { name: 'Desk', price: 19.99, ...members })
  assert.equal(made.status, 201, made.text)
  return made.body
}

/** @param items products with their quantities */
export function orderOf(items: readonly [{ id: string }, number][], members: object = {}): object {
  return {
    customerId: 'customer-7',
    items: items.map(([{ id }, quantity]) => ({ productId: id, quantity })),
    ...members,
  }
}

export interface StoredEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

/** What was published for a tenant that has no database of its own, the oldest first. */
export async function eventsOf({ config }: TestService, tenantId: string): Promise<StoredEvent[]> {
  const text = `SELECT id, type, data FROM event WHERE tenant_id = '${tenantId}' ORDER BY id`
  const rows = await inspect(config.databaseUrl, text)
  return rows.map(({ id, type, data }) => ({
    id: String(id),
    type: String(type),
    data: JSON.parse(String(data)),
  }))
}
