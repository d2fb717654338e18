import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestService, type TestService } from '../../src/testing.ts'
import { customer } from './customer.ts'

let service: TestService
before(async () => {
  service = await createTestService()
})
after(() => service.stop())

test('an invoice is sent once, and its events tell of it', async () => {
  const tenant = await service.newTenant()
  const { id: customerId } = await tenant.run((context) =>
    customer.create(context, { name: 'Nordic Timber' }),
  )
  const lines = [{ text: 'Desk', quantity: 2, price: 49.9 }]
  const made = await tenant.user.post('/api/invoices', { customerId, lines })
  assert.deepEqual([made.status, made.body.total], [201, 99.8])

  const path = `/api/invoices/${made.body.id}`
  assert.equal((await tenant.user.post(`${path}/send`)).body.status, 'sent')
  assert.equal((await tenant.user.post(`${path}/send`)).status, 400)
  const types = (await tenant.events()).map(({ type }) => type)
  assert.deepEqual(types.slice(-2), ['invoice.created', 'invoice.sent'])
})

test('another tenant has no such invoice', async () => {
  const [one, other] = [await service.newTenant(), await service.newTenant()]
  const { id } = await one.run((context) => customer.create(context, { name: 'Nordic Timber' }))
  const query = 'query ($id: UUID!) { customer(id: $id) { name } }'
  assert.deepEqual(await one.user.graphql(query, { id }), { customer: { name: 'Nordic Timber' } })
  assert.deepEqual(await other.user.graphql(query, { id }), { customer: null })
})

test('a user signs in again when the token has expired', async () => {
  const { user } = await service.newTenant()
  const token = await user.token()
  await service.advance({ hours: 1 })
  const authorization = `Bearer ${token}`
  assert.equal((await service.anonymous.get('/api/auth/me', { authorization })).status, 401)
  assert.equal((await user.get('/api/auth/me')).status, 200)
})
