/** The clock is set back an hour, or ahead and back: nothing becomes unsafe, and everything goes on. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newEventId, newId } from '../../src/core/id.ts'
import { StillClock, TestClock } from '../support/clock.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startInstance } from '../support/instance.ts'
import { startService } from '../support/service.ts'
import { onlyDelivery, setScene } from '../support/webhooks/delivery-scene.ts'

onEachDatabase('When the clock jumps', (database) => {
  it('back: tokens go on working, and what was done once is not done again', async () => {
    const clock = new TestClock()
    const service = await startService(database, {}, { clock: clock.now })
    try {
      const signedIn = await service.signIn('admin')
      const key = { 'idempotency-key': 'before' }
      const make = () => signedIn.client.post('/api/products', { name: 'Desk', price: 1 }, key)
      const { body: made } = await make()
      clock.advance({ minutes: -60 })
      assert.equal((await make()).body.id, made.id)
      const { refreshToken } = signedIn
      const renewed = await service.anonymous.post('/api/auth/refresh', { refreshToken })
      assert.equal(renewed.status, 200, renewed.text)
      const client = service.anonymous.withToken(renewed.body.accessToken)
      assert.equal((await client.get('/api/auth/me')).status, 200)
      assert.ok((await service.signIn('admin')).accessToken)
      clock.advance({ minutes: 60 })
      assert.equal((await make()).body.id, made.id)
      const after = await service.anonymous.post('/api/auth/refresh', renewed.body)
      assert.equal(after.status, 200, after.text)
    } finally {
      await service.stop()
    }
  })

  it('ahead and back: nobody who was signed out is let in again', async () => {
    const clock = new TestClock()
    const service = await startService(database, {}, { clock: clock.now })
    try {
      const [out, other] = [await service.signIn('admin'), await service.signIn('admin')]
      assert.equal((await out.client.get('/api/auth/me')).status, 200)
      assert.equal((await out.client.post('/api/auth/logout')).status, 200)
      clock.advance({ minutes: 60 })
      const third = await service.signIn('admin')
      assert.equal((await third.client.post('/api/auth/logout')).status, 200)
      clock.advance({ minutes: -60 })
      assert.equal((await out.client.get('/api/auth/me')).status, 401)
      assert.equal((await third.client.get('/api/auth/me')).status, 401)
      assert.equal((await other.client.get('/api/auth/me')).status, 200)
    } finally {
      await service.stop()
    }
  })

  it('back: a delivery that waits goes out when its moment comes, and at once when the clock is right again', async () => {
    const clock = new StillClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    let status = 500
    const receiver = await scene.receiver((response) => {
      response.statusCode = status
      response.end()
    })
    await scene.subscribe(receiver, { retrySeconds: [60, 60] })
    await scene.publish()
    await scene.look()
    assert.equal((await onlyDelivery(scene.user)).attempts, 1)
    status = 200
    clock.advance({ seconds: -3600 })
    await scene.look()
    assert.equal(receiver.requests.length, 1)
    clock.advance({ seconds: 3660 })
    await scene.look()
    assert.deepEqual([(await onlyDelivery(scene.user)).status, receiver.requests.length], ['SUCCEEDED', 2])
    clock.advance({ seconds: -3600 })
    await scene.publish()
    await scene.look()
    assert.equal(receiver.requests.length, 3)
  })

  if (database === 'sqlite') return

  it('by a few seconds in one instance: another accepts the tokens that it has just issued', async () => {
    const clock = new TestClock()
    const service = await startService(database, {}, { clock: clock.now })
    const behind = new TestClock()
    behind.advance({ seconds: -4 })
    const other = await startInstance(service, { clock: behind.now })
    try {
      const { accessToken } = await service.signIn('admin')
      assert.equal((await other.anonymous.withToken(accessToken).get('/api/auth/me')).status, 200)
      behind.advance({ minutes: -60 })
      const { accessToken: late } = await service.signIn('admin')
      assert.equal((await other.anonymous.withToken(late).get('/api/auth/me')).status, 401)
    } finally {
      await other.stop()
      await service.stop()
    }
  })
})

it('Ids of one process go on in order when the clock of the machine is set back', (context) => {
  const first = [newId(), newEventId()]
  context.mock.method(Date, 'now', () => 1_000_000)
  const second = [newId(), newEventId()]
  for (const place of [0, 1]) assert.ok((first[place] ?? '') < (second[place] ?? ''))
})
