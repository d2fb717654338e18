/** What `docs/entities.md` shows of GraphQL is what the gateway answers with the entities of the page. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { migrated } from '../entity/migrated.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { fencedBlocks, readDocument } from './markdown.ts'
import { assertShown } from './output.ts'

describe('the page on entities', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {}, { features: migrated([customer, invoice]) })
    tenant = await service.newTenant()
    for (const [name, ...prices] of [
      ['Ada', 40, 349.9],
      ['Bo', 99.9],
    ] as const) {
      const { body } = await tenant.user.post('/api/customers', { name })
      for (const price of prices) {
        const line = { text: price === 349.9 ? 'Walnut desk' : 'Stool', quantity: 1, price }
        const made = await tenant.user.post('/api/invoices', { customerId: body.id, lines: [line] })
        assert.equal(made.status, 201, made.text)
      }
    }
  })
  after(() => service.stop())

  test('shows what is answered to its document', async () => {
    const blocks = fencedBlocks(readDocument('docs/entities.md'))
    const query = blocks.find(({ language }) => language === 'graphql')?.text
    const shown = blocks.find(({ language }) => language === 'json')
    assert.ok(shown)
    const { text } = await tenant.user.post('/graphql', { query })
    assertShown(shown, text)
  })
})
