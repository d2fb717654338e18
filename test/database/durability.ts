/** Kills the service while clients create products, and compares what it has acknowledged with what is stored. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, it } from 'node:test'
import { openStore, type Store } from '../support/database/store.ts'
import { onEachDatabase } from '../support/databases.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { CreatingClients } from '../support/process/creating-clients.ts'
import { serveHere } from '../support/process/serve-here.ts'
import { Workplace } from '../support/process/workplace.ts'

const clients = 6

/** @param rounds how often the service is killed, on each database */
export function survivesKills(rounds: number): void {
  describe('Durability', { concurrency: 2 }, () => {
    onEachDatabase('After kill -9', (database) => {
      it(`every acknowledged product is there with its event, ${rounds} times over`, async () => {
        await using store = await openStore(database)
        await using place = new Workplace(store.settings)
        const first = await place.serve()
        const creating = new CreatingClients((await createAdmin(first)).authorization)

        for (let round = 0; round < rounds; round++) {
          const service = round === 0 ? first : await place.serve()
          const stream = creating.stream(service.url, clients)
          await stream.acknowledged(randomInt(5, 60))
          assert.equal((await service.kill()).signal, 'SIGKILL')
          await stream.ended
          await compareRowsAndEvents(store, creating)
          await using again = await serveHere(store.settings, place.folder)
          await creating.retryUnanswered(again.url)
          const { names } = await compareRowsAndEvents(store, creating)
          for (const name of creating.retriedNames) assert.ok(names.has(name), name)
          const list = await again.anonymous.get('/api/products')
          assert.deepEqual(new Set(list.body.map(({ name }: { name: string }) => name)), names)
        }
        assert.ok(creating.acknowledged.size >= rounds * 5)
      })
    })
  })
}

/** One statement sees both tables at one moment. @returns the names of all products */
async function compareRowsAndEvents(
  store: Store,
  { acknowledged }: CreatingClients,
): Promise<{ names: Set<unknown> }> {
  const rows = await store.rows(
    `SELECT 'product' AS kind, cast(id AS text) AS id, name FROM product
     UNION ALL SELECT 'event', data, type FROM event WHERE type LIKE 'product.%'`,
  )
  const products = rows.filter(({ kind }) => kind === 'product')
  const events = rows.filter(({ kind }) => kind === 'event')
  const byId = new Map(products.map(({ id, name }) => [id, name]))
  const told = events.map(({ id }) => JSON.parse(String(id)))
  assert.deepEqual(new Map(told.map(({ productId, name }) => [productId, name])), byId)
  assert.equal(events.length, products.length)
  const names = new Set(byId.values())
  assert.equal(names.size, products.length, 'a name came twice')
  for (const [id, name] of acknowledged) assert.equal(byId.get(id), name)
  return { names }
}
