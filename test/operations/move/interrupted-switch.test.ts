/** A move is killed while writes are refused: the service completes the switch. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { setMovingScene, tenantId } from './moving.ts'

/** The service looks every 5 s. */
const longestMs = 15_000

describe('A switch that is left half-way', { concurrency: 2 }, () => {
  onEachDatabase('is ended by whoever serves, the catalogue', (database) => {
    it('so that the tenant can write again, and the move goes on when it is asked for', async () => {
      await using scene = await setMovingScene(database)
      const { admin, host } = scene
      const create = (name: string) => admin.post('/api/products', { name, price: 1 })
      assert.equal((await create('Before')).status, 201)
      await scene.move('sqlite:left.db')
      await eventually('a write in the new place', 2000, async () => (await create('Between')).status === 201)

      const reached = (phase: string): void => {
        if (phase === 'fenced') throw new Ended()
      }
      await assert.rejects(scene.move('shared', { reached }), Ended)
      assert.equal((await create('Refused')).status, 503)
      await eventually(
        'a write in the shared place',
        longestMs,
        async () => (await create('After')).status === 201,
      )
      const { body: place } = await host.get(`/api/tenants/${tenantId}/database`)
      assert.equal(place.kind, 'shared')
      const names = (await admin.get('/api/products')).body.map(({ name }: { name: string }) => name)
      assert.deepEqual(names.toSorted(), ['After', 'Before', 'Between'])
      const said = () => scene.service.log().filter(({ msg }) => msg === 'switch of a move ended')
      await eventually('a word of it', soonMs, async () => said().length === 1)

      assert.match((await scene.move('shared')) ?? '', /left\.db$/)
      assert.equal((await create('Later')).status, 201)
    })
  })
})

class Ended extends Error {}
