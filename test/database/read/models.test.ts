/** Statements are kept by the model that they read, although other models have the same names. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { TenantData } from '../../../src/database/data.ts'
import { readGroups } from '../../../src/database/read/aggregate.ts'
import { countByDay } from '../../../src/database/read/daily.ts'
import { everything } from '../../../src/database/read/filter.ts'
import { unlimited } from '../../../src/database/read/measure.ts'
import { date, entity, integer, reference, text } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { fieldOf } from '../../support/graphql/entities.ts'
import { startService, type TestService } from '../../support/service.ts'

const shelf = entity('shelf', { plural: 'shelves', fields: { name: text() } })
const numbered = entity('folio', { fields: { value: integer(), shelf: reference(shelf) } })
const named = entity('folio', { fields: { value: text(), shelf: reference(shelf) } })
const letter = entity('letter', { fields: { createdOn: date() } })

onEitherDatabase('A kept statement', (database) => {
  const services: TestService[] = []
  after(() => Promise.all(services.map((service) => service.stop())))

  const serve = async (features: Parameters<typeof migrated>[0]) => {
    const service = await startService(database, {}, { features: migrated(features) })
    services.push(service)
    return { service, tenant: await service.newTenant() }
  }

  it('is not that of another service of the process, whose entity has the same name', async () => {
    const query = '{ shelves { nodes { folios(first: 1) { nodes { value } } } } }'
    for (const { folio, value } of [
      { folio: numbered, value: 1 },
      { folio: named, value: 'first' },
    ]) {
      const { tenant } = await serve([shelf, folio])
      const { body } = await tenant.admin.post('/api/shelves', { name: 'top' })
      await tenant.admin.post('/api/folios', { value, shelfId: body.id })
      assert.deepEqual((await tenant.admin.get('/api/folios?fields=value')).body, [{ value }])
      const { body: reply } = await tenant.admin.post('/graphql', { query })
      assert.deepEqual(reply.data, { shelves: { nodes: [{ folios: { nodes: [{ value }] } }] } })
    }
  })

  it('counts by the day of creation although a member is named like that', async () => {
    const { service, tenant } = await serve([letter])
    await tenant.admin.post('/api/letters', { createdOn: '2020-01-31' })
    const { executor } = (await service.service.operator()).shared.catalogueDatabase
    const data = new TenantData(tenant.id, executor)
    const { model } = letter
    const days = await countByDay(data, model, { filter: everything, time: unlimited.time })
    assert.deepEqual([...days.values()], [1])
    assert.ok(!days.has('2020-01-31'))
    const groupBy = [fieldOf(model, 'createdOn')]
    const request = { entity: model, filter: everything, groupBy, values: [], order: [], limit: 100 }
    assert.deepEqual(await readGroups(data, request), [{ count: 1, keys: ['"2020-01-31"'], values: [] }])
  })
})
