/** The rows of all tenants: read by what a request describes, and by nothing else. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { prepare } from '../../src/database/prepared.ts'
import { everything } from '../../src/database/read/filter.ts'
import { countRows } from '../../src/database/read/slice.ts'
import { users } from '../../src/identity/user/readable.ts'
import { onEachDatabase } from '../support/databases.ts'
import { newProduct } from '../support/orders.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

const products = prepare((tables) => tables.selectFrom('product').select('id'))

onEachDatabase('The rows of all tenants', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    await newProduct(tenant.admin)
  })
  after(() => service.stop())

  it('are those of each tenant for a read that a request describes', async () => {
    const operator = await service.service.operator()
    const { rows } = operator.installationData
    const range = { entity: users.model, filter: everything, order: [], after: null, before: null }
    const { body } = await tenant.admin.get('/api/users')
    const ofHost = await countRows(operator.catalogueRows, range)
    assert.ok((await countRows(rows, range)) >= ofHost + body.length)
    assert.equal(await countRows(operator.catalogueRows, range), ofHost, 'the statement of one tenant stays')
  })

  it('are none for a statement of one tenant', async () => {
    const { rows } = (await service.service.operator()).installationData
    assert.deepEqual(await rows.all(products, {}), [])
    assert.deepEqual(await rows.kysely.selectFrom('product').select('id').execute(), [])
  })
})
