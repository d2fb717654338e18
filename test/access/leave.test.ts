/** A row that a permitted change takes out of the reach of its writer is not shown any more. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { type Scene, startScene } from './scene.ts'

onEitherDatabase('A row that leaves the reach of its writer', (database) => {
  let scene: Scene
  let customer: Client
  let own: string
  let other: string
  before(async () => {
    scene = await startScene(database)
    const caller = scene.callers.find(({ name }) => name === 'customer')
    const somebody = scene.callers.find(({ name }) => name === 'member')
    assert.ok(caller?.userId && somebody?.userId)
    ;[customer, own, other] = [caller.client, caller.userId, somebody.userId]
  })
  after(() => scene.service.stop())

  const make = async () => (await customer.post('/api/parcels', { label: 'oak', holderId: own })).body.id

  it('is answered with 204', async () => {
    const one = `/api/parcels/${await make()}`
    assert.equal((await customer.patch(one, { label: 'elm' })).status, 200)
    const given = await customer.patch(one, { holderId: other })
    assert.deepEqual([given.status, given.text, given.headers.get('etag')], [204, '', null])
    assert.equal((await customer.get(one)).status, 404)
    assert.equal((await scene.admin.client.patch(one, { holderId: own })).status, 200)
    assert.equal((await customer.put(one, { label: 'elm', holderId: other })).status, 204)
  })

  it('is null in GraphQL', async () => {
    const query = `mutation { updateParcel(id: "${await make()}", input: { holderId: "${other}" }) { label } }`
    assert.deepEqual((await customer.post('/graphql', { query })).body, { data: { updateParcel: null } })
  })

  it('is documented where rules let rows leave', async () => {
    const { body } = await customer.get('/swagger/v1/swagger.json')
    const repliesOf = (path: string) => Object.keys(body.paths[path].patch.responses)
    assert.equal(repliesOf('/api/parcels/{id}').includes('204'), true)
    assert.equal(repliesOf('/api/tickets/{id}').includes('204'), false)
  })
})
