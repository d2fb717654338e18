/** The example of `examples/invoice` is served with the migrations that are committed beside it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { customer } from '../../../examples/invoice/customer.ts'
import { invoiceDocument } from '../../../examples/invoice/document.ts'
import { invoice } from '../../../examples/invoice/invoice.ts'
import { readMigrations } from '../../../src/index.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { startService, type TestService } from '../../support/service.ts'

const migrations = readMigrations(join(import.meta.dirname, '../../../examples/invoice/migrations'))

onEachDatabase('The example of invoices', (name) => {
  let service: TestService
  before(async () => {
    service = await startService(name, {}, { features: [customer, invoice, invoiceDocument], migrations })
  })
  after(() => service.stop())

  it('stores what its definitions declare', async () => {
    const { user } = await service.newTenant()
    const { body } = await user.post('/api/customers', { name: 'Straße' })
    const lines = [{ text: 'Desk', quantity: 2, price: 19.99 }]
    const made = await user.post('/api/invoices', { customerId: body.id, lines })
    assert.deepEqual([made.status, made.body.total, made.body.number], [201, 39.98, 1])
  })
})
