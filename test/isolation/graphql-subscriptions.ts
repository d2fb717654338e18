/** How each subscription is followed, and what triggers it. A new field of Subscription needs its lines here. */
import assert from 'node:assert/strict'
import type { Client } from '../support/client.ts'
import { EventReader } from '../support/graphql/event-reader.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { uniqueName } from '../support/service.ts'
import type { Scene } from './graphql-scene.ts'
import { leaksIn } from './leaks.ts'

export interface Following {
  query: string
  /** Triggers an event that contains the text. @returns its id */
  cause(client: Client, text: string): Promise<string>
}

/** By the names of the fields of Subscription. */
export const followings: Readonly<Record<string, Following>> = {
  onCategoryCreated: {
    query: 'subscription { onCategoryCreated { id name } }',
    cause: (client, text) => newCategory(client, text),
  },
  onCategoryUpdated: {
    query: 'subscription { onCategoryUpdated { id name } }',
    cause: async (client, text) => {
      const id = await newCategory(client, `before ${text}`)
      const changed = await client.put(`/api/categories/${id}`, { name: uniqueName(text) })
      assert.equal(changed.status, 200, changed.text)
      return id
    },
  },
  onProductCreated: {
    query: 'subscription { onProductCreated { id name category { id } } }',
    cause: async (client, text) => (await newProduct(client, { name: text })).id,
  },
  onProductUpdated: {
    query: 'subscription { onProductUpdated { id name category { id } } }',
    cause: async (client, text) => {
      const { id } = await newProduct(client)
      const changed = await client.patch(`/api/products/${id}`, { name: text })
      assert.equal(changed.status, 200, changed.text)
      return id
    },
  },
  onOrderCreated: {
    query: 'subscription { onOrderCreated { id customerId items { productId name product { id name } } } }',
    cause: async (client, text) => {
      const product = await newProduct(client, { name: text })
      const made = await client.post('/api/orders', orderOf([[product, 1]], { customerId: text }))
      assert.equal(made.status, 201, made.text)
      return made.body.id
    },
  },
}

async function newCategory(client: Client, text: string): Promise<string> {
  const made = await client.post('/api/categories', { name: uniqueName(text) })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

/** The id of an event that the victim has received. */
export async function markOf({ victim }: Scene, { query, cause }: Following): Promise<string> {
  await using reader = await EventReader.open(victim.user, { query })
  const id = await cause(victim.user, victim.canary)
  const told = await reader.next()
  assert.match(JSON.stringify(told.data), new RegExp(id))
  assert.ok(told.id)
  return told.id
}

/**
 * Follows while events of the victim occur, until every follower gets one of its own.
 * @returns the faults, none if all is well
 */
export async function overhear(
  { victim, intruders }: Scene,
  { query, cause }: Following,
  who: string,
  after: string | null,
): Promise<string[]> {
  const caller = intruders[who]
  assert.ok(caller)
  await using reader = await EventReader.open(caller, { query, after })
  const foreign = await cause(victim.user, victim.canary)
  const own = who === 'nobody' ? 'AUTH_NOT_AUTHENTICATED' : await cause(caller, 'Mine')
  const told: string[] = []
  while (told.at(-1)?.includes(own) !== true) told.push(JSON.stringify(await reader.next()))
  const rest = await reader.inbox.nextWithin(50)
  told.push(...(rest === null || rest.event === 'complete' ? [] : [JSON.stringify(rest)]))
  return told
    .flatMap((text) => [
      ...leaksIn(text, victim).map((secret) => `shows ${secret}: ${text}`),
      ...(text.includes(foreign) ? [`shows ${foreign}: ${text}`] : []),
    ])
    .map((fault) => `${query} by ${who}: ${fault}`)
}
