/** What a tenant has beside its products is in the new place as it was in the old one. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually, soonMs } from '../concurrency/eventually.ts'
import { startReceiver } from '../delivery/receiver.ts'
import { deliveries, delivery, subscribe } from '../delivery/scene.ts'
import type { Client } from '../harness/client.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { setMovingScene, tenantId } from './moving.ts'

onEachDatabase('A tenant that has moved, the catalogue', (database) => {
  it('finds its waiting deliveries, its keys, its audit and its streams again', async () => {
    await using scene = await setMovingScene(database)
    const { admin } = scene
    let isAway = true
    await using tidy = new AsyncDisposableStack()
    const receiver = await startReceiver((response) => response.writeHead(isAway ? 500 : 200).end())
    tidy.defer(() => receiver.close())
    const subscription = await subscribe(admin, receiver, { events: ['product.*'], retrySeconds: [3600] })
    const keyed = () => admin.post('/api/products', { name: 'Desk', price: 5 }, { 'idempotency-key': 'once' })
    const made = await keyed()
    const waiting = async () => (await deliveries(admin, `&subscriptionId=${subscription}`))[0]
    await eventually('the failed attempt', soonMs, async () => (await waiting())?.attempts === 1)
    const before = await waiting()
    assert.ok(before)
    const attempts = (await delivery(admin, before.id)).attemptLog
    const stream = await follow(admin)

    await scene.move('sqlite:along.db')
    await eventually('the new place', 2000, async () => {
      const { body } = await scene.host.get(`/api/tenants/${tenantId}/database`)
      return body.kind === 'sqlite' && stream.hasEnded
    })
    assert.deepEqual(await waiting(), before)
    assert.deepEqual((await delivery(admin, before.id)).attemptLog, attempts)
    const repeated = await keyed()
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(repeated.body, made.body)
    assert.equal((await admin.get('/api/products')).body.length, 1)

    // Between two files the place in the stream holds.
    const mark = database === 'sqlite' ? stream.lastId : ''
    const order = { customerId: 'c', items: [{ productId: made.body.id, quantity: 1 }] }
    const again = await follow(admin, mark)
    const placed = await admin.post('/api/orders', order)
    await eventually('the order', soonMs, async () => again.text.includes(placed.body.id))
    assert.equal(again.text.split(placed.body.id).length, 2)

    const own = await admin.post('/api/webhooks/subscriptions', { url: receiver.url, events: ['none.*'] })
    await scene.move('shared')
    await eventually('the way back', 2000, async () => again.hasEnded)
    const audit = (await admin.get('/api/audit?action=subscription.created')).body
    const subjects = audit.map(({ subjectId }: { subjectId: string }) => subjectId)
    assert.ok(subjects.includes(own.body.id) && subjects.includes(subscription))
    const moved = (await admin.get('/api/audit?action=tenant.moved')).body
    assert.deepEqual(
      moved.map(({ detail }: { detail: object }) => detail),
      [
        { from: 'sqlite', to: 'shared' },
        { from: 'shared', to: 'sqlite' },
      ],
    )
    isAway = false
    assert.equal((await admin.post(`/api/webhooks/deliveries/${before.id}/replay`)).status, 202)
    await eventually('the replay', soonMs, async () => receiver.requests.length === 2)
  })
})

interface Followed {
  text: string
  hasEnded: boolean
  /** Of the last result, or of the beginning. */
  lastId: string
}

/** @param mark to resume behind, or empty */
async function follow(client: Client, mark = ''): Promise<Followed> {
  const response = await fetch(`${client.baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      ...client.headers,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(mark !== '' && { 'last-event-id': mark }),
    },
    body: JSON.stringify({ query: 'subscription { onOrderCreated { id total } }' }),
  })
  assert.equal(response.status, 200)
  const followed: Followed = { text: '', hasEnded: false, lastId: mark }
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      followed.text += decoder.decode(chunk, { stream: true })
      followed.lastId = [...followed.text.matchAll(/^id: ?(.+)$/gm)].at(-1)?.[1] ?? followed.lastId
    }
    followed.hasEnded = true
  })()
  return followed
}
