/** Rows of the installation: `access: 'host'`. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, text } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const region = entity('region', {
  fields: { name: text() },
  access: { read: 'host', write: 'host' },
})

onEitherDatabase('An entity of the installation', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: migrated([region]) })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('is read and written by administrators of the host', async () => {
    const made = await service.host.post('/api/regions', { name: 'North' })
    assert.equal(made.status, 201, made.text)
    const { body } = await service.host.get('/api/regions')
    assert.deepEqual(body, [made.body])
    const query = { query: '{ regions { nodes { name } } }' }
    assert.deepEqual((await service.host.post('/graphql', query)).body.data.regions.nodes, [
      { name: 'North' },
    ])
  })

  it('is for nobody of another tenant, whatever its roles grant', async () => {
    const { admin } = tenant
    for (const answer of [
      await admin.get('/api/regions'),
      await admin.post('/api/regions', { name: 'South' }),
    ])
      assert.equal(answer.status, 403, answer.text)
    const granted = await admin.post('/api/roles', { name: 'Region', permissions: ['region:read'] })
    assert.equal(granted.status, 400, granted.text)
    const { body } = await admin.get('/api/permissions')
    const names = body.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('product:read') && !names.includes('region:read'))
  })
})
