/** What a rule would do, without doing it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { newProduct, orderOf } from '../../../support/orders.ts'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'
import { addRule, receipts, received, setProvider } from '../../../support/webhooks/provider.ts'

onEitherDatabase('A dry run of a rule', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    await setProvider(tenant.admin)
  })
  after(() => service.stop())

  const tryRule = async (id: string, body: object) => {
    const answer = await tenant.user.post(`/api/webhooks/rules/${id}/dry-run`, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  it('shows the values that the action reads and the events of its changes, and changes nothing', async () => {
    const product = await newProduct(tenant.user)
    const placed = await tenant.user.post('/api/orders', orderOf([[product, 2]]))
    const order = placed.body.id
    const rule = await addRule(tenant.user, 'order.pay', 'payment.*')
    const audit = (await tenant.admin.get('/api/audit')).text
    const body = { id: 'e1', type: 'payment.done', data: { orderId: order, more: 1 }, other: 2 }
    assert.deepEqual(await tryRule(rule, { body }), {
      outcome: 'SUCCEEDED',
      isActive: true,
      eventType: 'payment.done',
      action: 'order.pay',
      values: { data: { orderId: order } },
      error: null,
      events: [{ type: 'order.paid', data: { orderId: order, customerId: 'customer-7', total: 39.98 } }],
    })
    assert.equal((await tenant.user.get(`/api/orders/${order}`)).body.status, 'PENDING')
    assert.equal((await tenant.admin.get('/api/audit')).text, audit)
    assert.deepEqual(await receipts(tenant.user), [])
  })

  it('takes a stored receipt, also for a paused rule', async () => {
    const id = await received(service, tenant, { id: 'e2', type: 'thing.happened', note: 'hello' })
    const rule = await addRule(tenant.user, 'publish', 'thing.*')
    await tenant.user.patch(`/api/webhooks/rules/${rule}`, { isActive: false })
    const { outcome, isActive, events } = await tryRule(rule, { receiptId: id })
    assert.deepEqual([outcome, isActive], ['SUCCEEDED', false])
    assert.deepEqual(events, [
      { type: 'stripe.thing.happened', data: { id: 'e2', type: 'thing.happened', note: 'hello' } },
    ])
    const { body } = await tenant.user.get(`/api/webhooks/receipts/${id}`)
    assert.deepEqual([body.status, body.runs], ['UNMATCHED', []])
  })

  it('says why a rule would do nothing, or why its action would fail', async () => {
    const rule = await addRule(tenant.user, 'order.pay', 'invoice.paid')
    assert.equal((await tryRule(rule, { body: { type: 'invoice.sent' } })).outcome, 'UNMATCHED')
    const named = await tryRule(rule, { body: { data: {} }, eventType: 'invoice.paid' })
    assert.deepEqual(
      [named.outcome, named.error, named.values],
      ['FAILED', 'The event names no order.', { data: {} }],
    )
    const malformed = await tryRule(rule, { body: { type: 'invoice.paid' } })
    assert.deepEqual([malformed.outcome, malformed.values], ['FAILED', null])
    assert.match(malformed.error, /data/)
    const unknown = await addRule(tenant.user, 'ghost.appear', '*')
    assert.equal((await tryRule(unknown, { body: {} })).outcome, 'UNHANDLED')
  })

  it('needs one sample, and a rule of the tenant', async () => {
    const rule = await addRule(tenant.user, 'log')
    const path = `/api/webhooks/rules/${rule}/dry-run`
    const text = 'body: give either a sample body or receiptId'
    assertError(await tenant.user.post(path, {}), 400, text)
    const receiptId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    assertError(await tenant.user.post(path, { receiptId, body: {} }), 400, text)
    assertError(await tenant.user.post(path, { receiptId }), 404, 'There is no such receipt.')
    const other = await service.newTenant()
    assertError(await other.admin.post(path, { body: {} }), 404, 'There is no such rule.')
  })
})
