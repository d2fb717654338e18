/** Pages of the rows that refer to a row read no others, however many there are. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { TenantData } from '../../src/database/data.ts'
import { explaining, type Plan } from '../support/database/plan.ts'
import { onEachDatabase } from '../support/databases.ts'
import { recorderOf } from '../support/graphql/statement-recorder.ts'
import { insertProducts } from '../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'

const count = 4000
/** Of a page of ten products and one more, and their category. */
const maxRowsRead = 40

onEachDatabase('Pages of the rows that refer to a row', (database) => {
  let service: TestService
  let tenant: TestTenant
  let categories: string[]
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    categories = []
    for (const name of ['rare', 'common'])
      categories.push((await tenant.admin.post('/api/categories', { name })).body.id)
    const ids = await insertProducts(
      service,
      tenant.id,
      Array.from({ length: count }, () => 'Desk'),
    )
    const { catalogueDatabase } = (await service.service.operator()).shared
    await catalogueDatabase.transaction(async (transaction) => {
      const { kysely } = new TenantData(tenant.id, transaction)
      const [rare = '', common = ''] = categories
      await kysely.updateTable('product').set({ category_id: common }).execute()
      // The newest: the primary key would lead to them last.
      await kysely
        .updateTable('product')
        .set({ category_id: rare })
        .where('id', 'in', ids.slice(-20))
        .execute()
    })
    if (database === 'postgres') await catalogueDatabase.executor.run('ANALYZE product', [], false)
  })
  after(() => service.stop())

  const planOf = async (query: string): Promise<Plan> => {
    const recorder = await recorderOf(service, tenant)
    const { executor } = (await service.service.operator()).shared.catalogueDatabase
    const plans: Plan[] = []
    for (const { sql, parameters } of await recorder.statementsOf(query))
      await explaining(executor, plans).run(sql, parameters, false)
    assert.equal(plans.length, 1)
    return plans[0] as Plan // the only one
  }

  for (const [index, name] of ['rare', 'common'].entries())
    for (const page of ['first: 10', 'last: 10'])
      it(`are read by the index of the reference: ${page} of a ${name} row`, async () => {
        const { text, rowsRead } = await planOf(
          `{ category(id: "${categories[index]}") { products(${page}) { nodes { id } } } }`,
        )
        assert.match(text, /product_category_id_id/, text)
        assert.doesNotMatch(text, /USE TEMP B-TREE FOR ORDER BY/, text)
        assert.ok(rowsRead <= maxRowsRead, `${rowsRead} rows were read: ${text}`)
      })
})
