/** Everything that a tenant has beside its products is the same in the new place. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { EventReader, orderIn } from '../../support/graphql/event-reader.ts'
import { person } from '../../support/service.ts'
import { deliveries, delivery, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
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
    const told = await startReceiver((response) => response.end())
    tidy.defer(() => told.close())
    await subscribe(admin, told, { events: ['tenant.updated'] })
    const keyed = () => admin.post('/api/products', { name: 'Desk', price: 5 }, { 'idempotency-key': 'once' })
    const made = await keyed()
    const waiting = async () => (await deliveries(admin, `&subscriptionId=${subscription}`))[0]
    await eventually('the failed attempt', soonMs, async () => (await waiting())?.attempts === 1)
    const before = await waiting()
    assert.ok(before)
    const attempts = (await delivery(admin, before.id)).attemptLog
    const order = async (): Promise<string> => {
      const items = [{ productId: made.body.id, quantity: 1 }]
      return (await admin.post('/api/orders', { customerId: 'c', items })).body.id
    }
    await using stream = await EventReader.open(admin)
    const placed = await order()
    const first = await stream.next()
    assert.equal(orderIn(first), placed)
    const hasEnded = endingOf(stream)

    await scene.move('sqlite:along.db')
    await eventually('the new place', 2000, async () => {
      const { body } = await scene.host.get(`/api/tenants/${tenantId}/database`)
      return body.kind === 'sqlite' && hasEnded()
    })
    await eventually('word of the move', soonMs, async () => told.requests.length === 1)
    assert.deepEqual(await waiting(), before)
    assert.deepEqual((await delivery(admin, before.id)).attemptLog, attempts)
    const repeated = await keyed()
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(repeated.body, made.body)
    assert.equal((await admin.get('/api/products')).body.length, 1)

    // Between two files the place in the stream holds.
    const missed = await order()
    const isResumed = database === 'sqlite'
    await using again = await EventReader.open(admin, isResumed ? { after: first.id } : {})
    const wanted = [...(isResumed ? [missed] : []), await order()]
    assert.deepEqual((await again.inbox.take(wanted.length)).map(orderIn), wanted)
    assert.equal(await again.inbox.nextWithin(50), null)
    const hasEndedAgain = endingOf(again)

    const own = await admin.post('/api/webhooks/subscriptions', { url: receiver.url, events: ['none.*'] })
    // A user is of the catalogue, and so is what is remembered of the command.
    const keyedUser = () => admin.post('/api/users', person('keyed'), { 'idempotency-key': 'user' })
    const user = await keyedUser()
    assert.equal(user.status, 201, user.text)
    await scene.move('shared')
    await eventually('the way back', 2000, async () => hasEndedAgain())
    await eventually('word of the way back', soonMs, async () => told.requests.length === 2)
    assert.deepEqual((await keyedUser()).body, user.body)
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

/** @returns whether the other side has ended it by now */
function endingOf({ ended }: EventReader): () => boolean {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  return () => hasEnded
}
