/** A webhook of a provider is accepted, stored once, and triggers the actions of its rules. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventsOf, newProduct, orderOf } from '../../../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import {
  addRule,
  receipt,
  receipts,
  received,
  send,
  setProvider,
  signed,
} from '../../../support/webhooks/provider.ts'

onEitherDatabase('An incoming webhook', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database)
  })
  after(() => service.stop())

  async function newTenant(): Promise<TestTenant> {
    tenant = await service.newTenant()
    await setProvider(tenant.admin)
    return tenant
  }

  it('pays the order that it names, once, however often and however simultaneously it comes', async () => {
    const { id, user } = await newTenant()
    await addRule(user, 'order.pay', 'payment_intent.succeeded')
    const placed = await user.post('/api/orders', orderOf([[await newProduct(user), 1]]))
    const object = { metadata: { orderId: placed.body.id } }
    const body = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object } }
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(service, tenant, body)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
    assert.equal((await user.get(`/api/orders/${placed.body.id}`)).body.status, 'PAID')
    const paid = (await eventsOf(service, id)).filter(({ type }) => type === 'order.paid')
    assert.equal(paid.length, 1)
    const all = await receipts(user)
    assert.equal(all.length, 1)
    assert.equal(all[0].status, 'SUCCEEDED')
  })

  it('publishes once for twenty simultaneous duplicates, with and without an id of the provider', async () => {
    const { id, user } = await newTenant()
    await addRule(user, 'publish')
    for (const body of [
      { id: 'evt_9', type: 'thing.made' },
      { type: 'thing.lost', n: 1 },
    ]) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(service, tenant, body)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    }
    const published = (await eventsOf(service, id)).map(({ type }) => type)
    const own = published.filter((type) => type.startsWith('stripe.'))
    assert.deepEqual(own.toSorted(), ['stripe.thing.lost', 'stripe.thing.made'])
  })

  it('is in the log with its message, without credentials, and with what came of it', async () => {
    const { user } = await newTenant()
    const rule = await addRule(user, 'log')
    const body = { id: 'evt_2', type: 'charge.refunded', note: 'é' }
    const { 'stripe-signature': signature } = headersFor(body)
    const id = await received(service, tenant, body, {
      'stripe-signature': signature,
      'x-api-key': 'hush-hush',
      cookie: 'session=hush-hush',
    })
    const found = await receipt(user, id)
    assert.equal(found.body, JSON.stringify(body))
    assert.equal(found.bodyEncoding, 'utf8')
    assert.equal(found.eventId, 'evt_2')
    assert.equal(found.eventType, 'charge.refunded')
    assert.deepEqual(found.verification, { verified: true, scheme: 'stripe', secret: 'current' })
    assert.equal(found.headers['stripe-signature'], signature)
    assert.equal(found.headers['x-api-key'], '****')
    assert.ok(!JSON.stringify(found).includes('hush-hush'))
    const [run, ...more] = found.runs
    assert.equal(more.length, 0)
    assert.deepEqual(
      { ...run, id: null, startedAt: null, finishedAt: null },
      {
        id: null,
        ruleId: rule,
        action: 'log',
        status: 'SUCCEEDED',
        attempts: 1,
        error: null,
        nextAttemptAt: null,
        startedAt: null,
        finishedAt: null,
      },
    )
  })

  it('runs every rule that matches, exactly or by `*`, and no other', async () => {
    const { user } = await newTenant()
    const matching = [
      await addRule(user, 'log', 'customer.subscription.deleted'),
      await addRule(user, 'no.such.action', 'customer.*'),
      await addRule(user, 'log', '*', 'Stripe'),
    ]
    const paused = await addRule(user, 'log')
    await user.send('PATCH', `/api/webhooks/rules/${paused}`, { isActive: false })
    await addRule(user, 'log', 'customer.subscription')
    await addRule(user, 'log', '*', 'github')
    const body = { id: 'evt_3', type: 'customer.subscription.deleted' }
    const found = await receipt(user, await received(service, tenant, body))
    assert.deepEqual(
      found.runs.map(({ ruleId }: { ruleId: string }) => ruleId),
      matching,
    )
    assert.equal(found.status, 'UNHANDLED')
    assert.equal(found.runs[1].status, 'UNHANDLED')
    assert.match(found.runs[1].error, /no such action/)
  })

  it('is kept when no rule is for it, and when its body is no JSON', async () => {
    const { user } = await newTenant()
    assert.equal((await receipt(user, await received(service, tenant, { a: 1 }))).status, 'UNMATCHED')
    const bytes = Uint8Array.of(0xff, 0x00, 0xfe)
    const found = await receipt(user, await received(service, tenant, bytes))
    assert.equal(found.bodyEncoding, 'base64')
    assert.deepEqual(Buffer.from(found.body, 'base64'), Buffer.from(bytes))
  })

  it('may be as large as its own limit, whatever that of other bodies is', async () => {
    const settings = { WEBHOOK_BODY_LIMIT_BYTES: '5000', BODY_LIMIT_BYTES: '2000' }
    const small = await startService(database, settings)
    try {
      const own = await small.newTenant()
      await setProvider(own.admin)
      const body = (length: number) => JSON.stringify({ text: 'x'.repeat(length - 11) })
      assert.equal((await send(small, own, body(5000))).status, 200)
      assert.equal((await send(small, own, body(5001))).status, 413)
      assert.equal((await own.user.post('/api/products', body(2001))).status, 413)
    } finally {
      await small.stop()
    }
  })

  it('is for the tenant that its address names, by query, header or token', async () => {
    const { id, user } = await newTenant()
    const other = await service.newTenant()
    const body = { id: 'evt_4', type: 'a' }
    assert.equal((await send(service, other, body)).status, 400)
    assert.equal((await send(service, { id: 'nobody' }, body)).status, 404)
    const path = '/api/webhooks/receive/stripe'
    const text = JSON.stringify(body)
    const first = await service.anonymous.post(path, text, { ...headersFor(body), 'x-tenant-id': id })
    assert.equal(first.status, 200, first.text)
    const second = await user.post(path, text, headersFor(body))
    assert.deepEqual(second.body, first.body)
  })

  it('finds neither a deactivated tenant nor one that does not exist', async () => {
    const { id } = await newTenant()
    assert.equal((await service.host.delete(`/api/tenants/${id}`)).status, 204)
    assert.equal((await send(service, tenant, { id: 'evt_5' })).status, 404)
  })

  function headersFor(body: object): Record<'stripe-signature', string> {
    return { 'stripe-signature': signed(JSON.stringify(body)) }
  }
})
