/** Actions: what they change, what happens when they throw, and when they are retried. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer } from '../../../support/client.ts'
import { StillClock } from '../../../support/clock.ts'
import { type DatabaseName, onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { eventsOf, newProduct, orderOf } from '../../../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import {
  addRule,
  receipt,
  receipts,
  secret,
  send,
  setProvider,
  signed,
} from '../../../support/webhooks/provider.ts'
import { flakyFeature, type Mood } from '../failing-action.ts'

const schedule = [5, 15, 60]

onEitherDatabase('An action', (database) => {
  const clock = new StillClock()
  const mood: Mood = { failures: 0, tenantId: '', seen: [] }
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const settings = { WEBHOOK_RETRY_SECONDS: schedule.join(',') }
    service = await startService(database, settings, {
      clock: clock.now,
      features: [flakyFeature(mood)],
    })
  })
  after(() => service.stop())

  async function newTenant(...actions: string[]): Promise<TestTenant> {
    tenant = await service.newTenant()
    mood.tenantId = tenant.id
    await setProvider(tenant.admin)
    for (const action of actions) await addRule(tenant.user, action)
    return tenant
  }

  async function take(body: object): Promise<string> {
    const text = JSON.stringify(body)
    const header = signed(text, clock.now().getTime() / 1000, secret)
    const answer = await send(service, tenant, text, { 'stripe-signature': header })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }

  /** What the worker does at each of its walks. */
  const turn = () => service.service.queueWorkers.drain()

  const publishedTypes = async () =>
    (await eventsOf(service, tenant.id))
      .map(({ type }) => type)
      .filter((type) => /^(flaky|stripe)\./.test(type))

  const reaches = async (id: string, attempts: number) => {
    await turn()
    const [run] = (await receipt(tenant.user, id)).runs
    assert.equal(run.attempts, attempts)
  }

  it('gets what was sent, typed, and a context of its own', async () => {
    await newTenant('flaky.try')
    mood.failures = 0
    const id = await take({ id: 'evt_1', type: 'thing.made', data: { amount: 7 }, more: true })
    const seen = mood.seen.at(-1)
    assert.deepEqual(seen?.event, {
      receiptId: id,
      provider: 'stripe',
      id: 'evt_1',
      type: 'thing.made',
      payload: { data: { amount: 7 } },
      receivedAt: clock.now().toISOString(),
    })
    assert.deepEqual([seen?.tenantId, seen?.actor?.userName, seen?.hops], [tenant.id, 'worker', 1])
    assert.deepEqual(await publishedTypes(), ['flaky.done'])
  })

  it('that throws undoes its own effect only, and the provider gets 200 all the same', async () => {
    await newTenant('publish', 'flaky.try', 'publish')
    mood.failures = 1
    const found = await receipt(tenant.user, await take({ type: 'a.b', data: { amount: 1 } }))
    assert.equal(found.status, 'PENDING')
    assert.deepEqual(
      found.runs.map(({ status, error }: Answer['body']) => [status, error]),
      [
        ['SUCCEEDED', null],
        ['PENDING', 'The other side is not in the mood.'],
        ['SUCCEEDED', null],
      ],
    )
    assert.deepEqual(await publishedTypes(), ['stripe.a.b', 'stripe.a.b'])
  })

  it('that throws is tried again by the schedule, never early, and once when it succeeds', async () => {
    await newTenant('flaky.try')
    mood.failures = 2
    const id = await take({ type: 'a.b', data: { amount: 2 } })
    const [first] = (await receipt(tenant.user, id)).runs
    assert.equal(first.nextAttemptAt, new Date(clock.now().getTime() + 5000).toISOString())
    clock.advance({ ms: 4999 })
    await turn()
    assert.equal((await receipt(tenant.user, id)).runs[0].attempts, 1)
    clock.advance({ ms: 1 })
    await reaches(id, 2)
    clock.advance({ seconds: 15 })
    await reaches(id, 3)
    const found = await receipt(tenant.user, id)
    assert.equal(found.status, 'SUCCEEDED')
    assert.deepEqual([found.runs[0].status, found.runs[0].error], ['SUCCEEDED', null])
    clock.advance({ seconds: 100 })
    await turn()
    assert.deepEqual(await publishedTypes(), ['flaky.done'])
  })

  it('is dead after its last attempt, and can be replayed', async () => {
    const { id: tenantId } = await newTenant('flaky.try', 'publish')
    mood.failures = Number.POSITIVE_INFINITY
    const user = async () => (await service.signIn('worker', tenantId)).client
    const id = await take({ type: 'a.b', data: { amount: 3 } })
    for (const [place, seconds] of schedule.entries()) {
      clock.advance({ seconds })
      await reaches(id, place + 2)
    }
    const dead = await receipt(await user(), id)
    assert.equal(dead.status, 'DEAD')
    assert.equal(dead.runs[0].nextAttemptAt, null)
    assert.notEqual(dead.runs[0].finishedAt, null)

    mood.failures = 0
    const replayed = await (await user()).post(`/api/webhooks/receipts/${id}/replay`)
    assert.equal(replayed.status, 200, replayed.text)
    assert.equal(replayed.body.status, 'SUCCEEDED')
    const statuses = replayed.body.runs.map((run: Answer['body']) => `${run.action} ${run.status}`)
    assert.deepEqual(statuses, ['flaky.try REPLACED', 'publish SUCCEEDED', 'flaky.try SUCCEEDED'])
    assert.deepEqual(await publishedTypes(), ['stripe.a.b', 'flaky.done'])
  })

  it('that has succeeded is replayed only when all is asked for', async () => {
    await newTenant('publish')
    const id = await take({ type: 'a.b' })
    const replay = (body?: object) => tenant.user.post(`/api/webhooks/receipts/${id}/replay`, body)
    assert.equal((await replay()).body.runs.length, 1)
    assert.equal((await replay({ all: true })).body.runs.length, 2)
    assert.deepEqual(await publishedTypes(), ['stripe.a.b', 'stripe.a.b'])
    await addRule(tenant.user, 'log')
    assert.equal((await replay()).body.runs.length, 3)
    assertError(await tenant.user.post(`/api/webhooks/receipts/${crypto.randomUUID()}/replay`), 404)
  })

  it('that waits is not run twice by simultaneous replays', async () => {
    await newTenant('flaky.try')
    mood.failures = 1
    const id = await take({ type: 'a.b', data: { amount: 4 } })
    const replay = () => tenant.user.post(`/api/webhooks/receipts/${id}/replay`)
    const answers = await Promise.all(Array.from({ length: 10 }, replay))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.deepEqual(await publishedTypes(), ['flaky.done'])
  })

  it('is told what is wrong with a payload that it does not take', async () => {
    await newTenant('flaky.try', 'order.pay', 'publish')
    const { runs } = await receipt(tenant.user, await take({ data: { amount: 'much' } }))
    assert.match(runs[0].error, /^data\.amount: /)
    assert.equal(runs[1].error, 'The event names no order.')
    assert.equal(runs[2].error, 'The event cannot be published, because it has no type.')
  })

  it('order.pay takes the order of either member, and one that is paid already', async () => {
    await newTenant('order.pay')
    const product = await newProduct(tenant.user)
    const placed = await tenant.user.post('/api/orders', orderOf([[product, 1]]))
    const orderId = placed.body.id
    const first = await take({ id: 'evt_1', data: { orderId } })
    const second = await take({ id: 'evt_2', data: { object: { metadata: { orderId } } } })
    for (const id of [first, second]) assert.equal((await receipt(tenant.user, id)).status, 'SUCCEEDED')
    assert.equal((await tenant.user.get(`/api/orders/${orderId}`)).body.status, 'PAID')
    const missing = await take({ id: 'evt_3', data: { orderId: crypto.randomUUID() } })
    assert.equal((await receipt(tenant.user, missing)).runs[0].error, 'There is no such order.')
  })

  it('publish cannot tell of a change of our own', async () => {
    await newTenant()
    await setProvider(tenant.admin, 'order')
    await addRule(tenant.user, 'publish', '*', 'order')
    const text = '{"type":"paid","orderId":"x"}'
    const headers = { 'order-signature': signed(text, clock.now().getTime() / 1000) }
    await send(service, tenant, text, headers, 'order')
    const [found] = await receipts(tenant.user)
    assert.match(
      (await receipt(tenant.user, found.id)).runs[0].error,
      /is reserved for changes of this service/,
    )
    assert.ok(!(await eventsOf(service, tenant.id)).some(({ type }) => type === 'order.paid'))
  })

  it('publishes nothing that is larger than an event may be', async () => {
    await newTenant('publish')
    const id = await take({ type: 'a.b', data: { text: 'a'.repeat(256 * 1024) } })
    const [run] = (await receipt(tenant.user, id)).runs
    assert.equal(run.error, 'data: must not be larger than 256 KiB')
    assert.deepEqual(await publishedTypes(), [])
  })

  it('of a deactivated tenant waits until the tenant is active again', async () => {
    const { id: tenantId } = await newTenant('flaky.try')
    mood.failures = 1
    const id = await take({ type: 'a.b', data: { amount: 5 } })
    const host = async () => (await service.signIn('admin')).client
    await (await host()).delete(`/api/tenants/${tenantId}`)
    clock.advance({ seconds: 5 })
    await turn()
    assert.deepEqual(await publishedTypes(), [])
    await (await host()).put(`/api/tenants/${tenantId}`, { isActive: true })
    await eventually('the retry', soonMs, async () => (await publishedTypes()).length === 1)
    const { client } = await service.signIn('worker', tenantId)
    assert.equal((await receipt(client, id)).status, 'SUCCEEDED')
  })
})

onEitherDatabase('An action of a tenant with a database of its own', (database: DatabaseName) => {
  it('is stored, done and tried again there', async () => {
    const mood: Mood = { failures: 1, tenantId: '', seen: [] }
    const settings = { WEBHOOK_RETRY_SECONDS: '1' }
    const service = await startService(database, settings, { features: [flakyFeature(mood)] })
    try {
      const tenant = await service.newTenant({ connectionString: 'sqlite:incoming.db' })
      mood.tenantId = tenant.id
      await eventually(
        'the database',
        soonMs,
        async () => (await tenant.user.get('/api/products')).status === 200,
      )
      await setProvider(tenant.admin)
      await addRule(tenant.user, 'flaky.try')
      const { body } = await send(service, tenant, { type: 'a.b', data: { amount: 6 } })
      assert.equal((await receipt(tenant.user, body.id)).status, 'PENDING')
      await eventually('the retry', soonMs, async () => {
        return (await receipt(tenant.user, body.id)).status === 'SUCCEEDED'
      })
      assert.equal(mood.seen.length, 2)
    } finally {
      await service.stop()
    }
  })
})
