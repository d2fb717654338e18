import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { eventually } from '../concurrency/eventually.ts'
import { inspect } from '../database/inspect.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { BusyClients } from './busy-clients.ts'
import { setMovingScene, tenantId } from './moving.ts'
import { futureDatabase } from './own-server.ts'

const clients = 4

onEachDatabase('A tenant that is moved while it is served, the catalogue', (database) => {
  it('keeps every write that was acknowledged, wherever it goes, and back', async () => {
    await using scene = await setMovingScene(database)
    const future = database === 'postgres' ? await futureDatabase() : null
    const busy = new BusyClients(scene.admin)
    busy.start(clients)
    const places = ['sqlite:acme.db', ...(future === null ? [] : [future.url]), 'shared']
    for (const to of places) {
      const b = performance.now()
      const left = await scene.move(to, { reached: (p) => console.log(p, performance.now() - b) })
      console.log('over', performance.now() - b)
      const { kind } = (await scene.host.get(`/api/tenants/${tenantId}/database`)).body
      assert.equal(kind, to === 'shared' ? 'shared' : to.split(':')[0]?.replace(/ql$/, ''))
      console.log(to, left, busy.refused, busy.longestMs, busy.created.size)
    }
    await busy.stop()
    await busy.check()
    await eventually('every event', 10_000, async () => {
      const told = scene.receiver.requests.map(({ body }) => JSON.parse(body))
      const ids = new Set(told.filter(({ type }) => type === 'product.created').map(({ data }) => data.productId))
      return [...busy.created].every((id) => ids.has(id))
    })
    const deliveries = scene.receiver.requests.map(({ headers }) => headers['webhook-id'])
    console.log(deliveries.length, new Set(deliveries).size)
    await future?.drop()
  })
})
