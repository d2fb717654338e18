/** A subscription that fails for days is warned about, then deactivated; one bad day is not enough. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Health, healthAction, healthAfter } from '../../../../src/webhooks/outgoing/result/health.ts'
import { StillClock } from '../../../support/clock.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { deliveries, eventIds, type Scene } from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

onEitherDatabase('The health of a subscription', (database) => {
  const clock = new StillClock()
  const setScene = scenesOfOwn(database, {}, { clock: clock.now })

  async function withFailing(use: (stage: Stage) => Promise<void>) {
    await using scene = await setScene()
    let status = 500
    const receiver = await scene.receiver((response) => response.writeHead(status).end())
    const id = await scene.subscribe(receiver, { retrySeconds: [], events: ['thing.*'] })
    const watcher = await scene.receiver()
    await scene.subscribe(watcher, { events: ['webhook.*'] }, scene.tenant.admin)
    const other = await scene.receiver()
    await scene.subscribe(other, { events: ['*'] })
    const client = async () => (await scene.service.signIn('worker', scene.tenant.id)).client
    const beganMs = clock.now().getTime()
    await use({
      scene,
      at: (days) => new Date(beganMs + days * 24 * 60 * 60 * 1000).toISOString(),
      failDaily: async (days) => {
        for (let day = 0; day < days; day++) {
          await scene.publish('thing.happened', {}, await client())
          await scene.look()
          clock.advance({ days: 1 })
        }
      },
      answer: (next) => {
        status = next
      },
      subscription: async () => (await (await client()).get(`/api/webhooks/subscriptions/${id}`)).body,
      told: () => watcher.requests.map(({ body }) => JSON.parse(body)),
      toldOthers: () => [...new Set(other.requests.map(({ body }) => JSON.parse(body).type))],
      received: () => eventIds(receiver.requests).length,
      client,
      id,
    })
  }

  it('is warned about after three days, and ended after five, with an event each', async () => {
    await withFailing(async ({ failDaily, subscription, told, toldOthers, id, at }) => {
      await failDaily(3)
      assert.deepEqual(told(), [])
      await failDaily(1)
      assert.deepEqual(
        told().map(({ type, data }) => [type, data.subscriptionId, data.failingSince]),
        [['webhook.failing', id, at(0)]],
      )
      await failDaily(1)
      assert.equal((await subscription()).isActive, true)
      assert.equal(told().length, 1)
      await failDaily(1)
      const { isActive, deactivatedAt, deactivationReason } = await subscription()
      assert.deepEqual([isActive, deactivatedAt, deactivationReason], [false, at(5), 'failing'])
      const [, ended] = told()
      assert.deepEqual([ended?.type, ended?.data.reason], ['webhook.deactivated', 'failing'])
      assert.deepEqual(toldOthers(), ['thing.happened'])
    })
  })

  it('is restored by one success: the days are counted anew', async () => {
    await withFailing(async ({ failDaily, answer, subscription, told }) => {
      await failDaily(4)
      answer(200)
      await failDaily(1)
      answer(500)
      await failDaily(3)
      assert.equal((await subscription()).isActive, true)
      assert.equal(told().length, 1)
      await failDaily(1)
      assert.equal(told().length, 2)
    })
  })

  it('keeps what arises while it is ended, and delivers it on recovery', async () => {
    await withFailing(async ({ failDaily, answer, client, id, received, scene, at }) => {
      await failDaily(6)
      const before = received()
      await failDaily(2)
      assert.equal(received(), before)
      const user = await client()
      const kept = await deliveries(user, '&status=KEPT')
      assert.deepEqual(
        kept.map(({ attempts, reason }) => [attempts, reason]),
        [
          [0, 'deactivated'],
          [0, 'deactivated'],
        ],
      )
      answer(200)
      await user.send('PATCH', `/api/webhooks/subscriptions/${id}`, { isActive: true })
      await scene.look()
      assert.equal(received(), before)
      const { body } = await user.post(`/api/webhooks/subscriptions/${id}/recover`, {
        since: at(0),
      })
      assert.equal(body.deliveries, 8)
      await scene.look()
      assert.equal(received(), before + 8)
      assert.deepEqual(await deliveries(user, '&status=KEPT'), [])
    })
  })

  it('is told with the subscription: how often, when last, and since when it fails', async () => {
    await using scene = await setScene()
    let status = 200
    const receiver = await scene.receiver((response) => response.writeHead(status).end())
    const id = await scene.subscribe(receiver, { events: ['thing.*'], retrySeconds: [] })
    const read = () => scene.user.get(`/api/webhooks/subscriptions/${id}`)
    const { body: fresh, headers } = await read()
    assert.deepEqual(
      [fresh.successCount, fresh.failureCount, fresh.lastSuccessAt, fresh.lastFailureAt, fresh.failingSince],
      [0, 0, null, null, null],
    )
    for (const next of [200, 200, 500]) {
      status = next
      await scene.publish('thing.happened')
      await scene.look()
    }
    const { body, headers: later } = await read()
    assert.deepEqual([body.successCount, body.failureCount], [2, 1])
    assert.ok(body.lastSuccessAt <= body.lastFailureAt)
    assert.equal(body.failingSince, body.lastFailureAt)
    assert.equal(later.get('etag'), headers.get('etag'))
  })

  it('counts the answer to what was being sent when a receiver says that it is gone', async () => {
    await using scene = await setScene()
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const receiver = await scene.receiver(async (response, { body }) => {
      const isFirst = JSON.parse(body).type === 'thing.first'
      if (isFirst) await released
      response.writeHead(isFirst ? 200 : 410).end()
    })
    const id = await scene.subscribe(receiver, { events: ['thing.*'] })
    await scene.publish('thing.first')
    await eventually('the first', soonMs, async () => receiver.requests.length === 1)
    await scene.publish('thing.second')
    await eventually('the end of the subscription', soonMs, async () => {
      const { body } = await scene.user.get(`/api/webhooks/subscriptions/${id}`)
      return body.deactivationReason === 'gone'
    })
    release()
    await scene.look()
    const states = await deliveries(scene.user)
    assert.deepEqual(
      states.map(({ eventType, status, attempts }) => [eventType, status, attempts]),
      [
        ['thing.first', 'SUCCEEDED', 1],
        ['thing.second', 'DEAD', 1],
      ],
    )
  })

  it('keeps what was waiting when a receiver says that it is gone', async () => {
    await withFailing(async ({ scene, answer, client, id, told }) => {
      const user = await client()
      await user.send('PATCH', `/api/webhooks/subscriptions/${id}`, { retrySeconds: [60] })
      await scene.publish('thing.first', {}, user)
      await scene.look()
      answer(410)
      await scene.publish('thing.second', {}, user)
      await scene.look()
      clock.advance({ seconds: 60 })
      await scene.look()
      const states = await deliveries(user, `&subscriptionId=${id}`)
      assert.deepEqual(
        states.map(({ eventType, status, reason }) => [eventType, status, reason]),
        [
          ['thing.first', 'KEPT', 'deactivated'],
          ['thing.second', 'DEAD', 'gone'],
        ],
      )
      assert.deepEqual(
        told().map(({ type, data }) => [type, data.reason]),
        [['webhook.deactivated', 'gone']],
      )
    })
  })
})

interface Stage {
  scene: Scene
  /** The moment so many days after the first. */
  at(days: number): string
  /** Publishes one event on each of these days. */
  failDaily(days: number): Promise<void>
  answer(status: number): void
  subscription(): Promise<Record<string, unknown>>
  /** What the service has told administrators of its own webhooks. */
  told(): { type: string; data: Record<string, unknown> }[]
  /** The types of events that a user gets who is no administrator. */
  toldOthers(): string[]
  received(): number
  client(): Promise<Scene['user']>
  id: string
}

describe('The judgement of a subscription', () => {
  const healthy: Health = {
    successCount: 0,
    failureCount: 0,
    lastSuccessAt: null,
    lastFailureAt: null,
    failingSince: null,
    failingDays: 0,
    warnedAt: null,
  }
  const failing = (...moments: string[]) =>
    moments.reduce((health, at) => healthAfter(health, { hasSucceeded: false, at }), healthy)

  it('needs failures on different days, not a long time alone', () => {
    const once = failing('2027-01-01T00:00:00.000Z')
    assert.equal(healthAction(once, '2027-03-01T00:00:00.000Z'), null)
    const night = failing(...Array.from({ length: 100 }, () => '2027-01-01T23:00:00.000Z'))
    assert.deepEqual([night.failingDays, night.failureCount], [1, 100])
    assert.equal(healthAction(night, '2027-01-07T00:00:00.000Z'), null)
  })

  it('needs the time as well as the days', () => {
    const days = ['01', '02', '03', '04', '05'].map((day) => `2027-01-${day}T12:00:00.000Z`)
    assert.equal(healthAction(failing(...days), '2027-01-05T12:00:00.000Z'), 'warn')
    assert.equal(healthAction(failing(...days), '2027-01-06T12:00:00.000Z'), 'deactivate')
    assert.equal(
      healthAction({ ...failing(...days.slice(0, 3)), warnedAt: 'x' }, '2027-01-05T00:00:00.000Z'),
      null,
    )
  })
})
