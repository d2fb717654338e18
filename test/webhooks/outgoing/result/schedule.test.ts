/** The exact times of attempts, with a clock that the test advances. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { StillClock } from '../../../support/clock.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import {
  answering,
  type DeliveryWithAttempts,
  deliveries,
  delivery,
  type Scene,
} from '../../../support/webhooks/delivery-scene.ts'
import type { startReceiver } from '../../../support/webhooks/receiver.ts'
import { scenesOfOwn } from '../../scenes.ts'

type Answer = Parameters<typeof startReceiver>[0]

interface Course {
  found: DeliveryWithAttempts
  /** Seconds of each attempt after the first. */
  seconds: number[]
  /** The moment so many seconds after the first. */
  after(seconds: number): string
  /** In the end. */
  subscription: Record<string, unknown>
}

onEitherDatabase('The schedule', (database) => {
  const clock = new StillClock()
  const setScene = scenesOfOwn(database, {}, { clock: clock.now })
  const setImpatient = scenesOfOwn(database, { WEBHOOK_TIMEOUT_MS: '150' }, { clock: clock.now })
  const attemptsOf = (answer: Answer, steps: number[], members = {}) =>
    attemptsIn(setScene, clock, answer, steps, members)

  it('is at once, then 5, 15, 60, 300 and 900 seconds after the attempt before, and then the end', async () => {
    const { found, seconds } = await attemptsOf(answering(500), [5, 15, 60, 300, 900, 3600])
    assert.deepEqual(seconds, [0, 5, 20, 80, 380, 1280])
    assert.deepEqual(
      [found.status, found.reason, found.attempts, found.nextAttemptAt],
      ['DEAD', 'exhausted', 6, null],
    )
    const attempts = found.attemptLog.map(({ number, outcome, errorClass, status }) => ({
      number,
      outcome,
      errorClass,
      status,
    }))
    const failed = { outcome: 'failure', errorClass: 'status', status: 500 }
    assert.deepEqual(
      attempts,
      [1, 2, 3, 4, 5, 6].map((number) => ({ number, ...failed })),
    )
  })

  it('never begins a millisecond early', async () => {
    await using scene = await setScene()
    const receiver = await scene.receiver(answering(503))
    await scene.subscribe(receiver)
    await scene.publish()
    await scene.look()
    clock.advance({ seconds: 5, ms: -1 })
    await scene.look()
    assert.equal(receiver.requests.length, 1)
    clock.advance({ ms: 1 })
    await scene.look()
    assert.equal(receiver.requests.length, 2)
  })

  it('ends with the first success', async () => {
    let calls = 0
    const { found, seconds } = await attemptsOf(
      (response) => response.writeHead(++calls < 3 ? 500 : 204).end(),
      [5, 15, 60],
    )
    assert.deepEqual(seconds, [0, 5, 20])
    assert.deepEqual([found.status, found.attempts, found.reason], ['SUCCEEDED', 3, null])
  })

  it('is the subscription’s own where it has one', async () => {
    const { found, seconds } = await attemptsOf(answering(500), [1, 2, 3], { retrySeconds: [1, 2] })
    assert.deepEqual(seconds, [0, 1, 3])
    assert.equal(found.status, 'DEAD')
  })

  it('waits longer when the receiver asks for it by 429 with Retry-After, and never shorter', async () => {
    const waits = ['30', '1', '7200']
    const { seconds } = await attemptsOf(
      (response) => response.writeHead(429, { 'retry-after': waits.shift() ?? '0' }).end(),
      [29, 1, 14, 1, 3599, 1],
    )
    // 30 instead of 5; 15 although 1 was asked for; an hour at most instead of two.
    assert.deepEqual(seconds, [0, 30, 45, 3645])
  })

  it('is over at once with 410, which deactivates the subscription', async () => {
    const { found, seconds, after, subscription } = await attemptsOf(answering(410), [5, 15])
    assert.deepEqual(seconds, [0])
    assert.deepEqual([found.status, found.reason, found.attempts], ['DEAD', 'gone', 1])
    const { isActive, deactivationReason, deactivatedAt } = subscription
    assert.deepEqual([isActive, deactivationReason, deactivatedAt], [false, 'gone', after(0)])
  })

  it('goes on after a time-out, of which the log tells', async () => {
    const { found, seconds, after } = await attemptsIn(setImpatient, clock, () => undefined, [5])
    assert.deepEqual(seconds, [0, 5])
    assert.deepEqual([found.status, found.attempts], ['PENDING', 2])
    assert.equal(found.nextAttemptAt, after(20))
    for (const { errorClass, status, durationMs } of found.attemptLog) {
      assert.deepEqual([errorClass, status], ['timeout', null])
      assert.ok(durationMs >= 149, `${durationMs} ms`)
    }
  })

  it('takes redirects for failures and does not follow them', async () => {
    const { found, after } = await attemptsOf(answering(302, { location: '/elsewhere' }), [])
    assert.deepEqual(
      found.attemptLog.map(({ errorClass, status }) => [errorClass, status]),
      [['redirect', 302]],
    )
    assert.equal(found.nextAttemptAt, after(5))
  })
})

/** Publishes one event, then moves the clock on step by step, and asks for a look after each. */
async function attemptsIn(
  setScene: () => Promise<Scene>,
  clock: StillClock,
  answer: Answer,
  steps: number[],
  members = {},
): Promise<Course> {
  await using scene = await setScene()
  await scene.subscribe(await scene.receiver(answer), { events: ['thing.*'], ...members })
  const beganMs = clock.now().getTime()
  await scene.publish()
  await scene.look()
  for (const seconds of steps) {
    clock.advance({ seconds })
    await scene.look()
  }
  // Tokens have expired by the clock that was moved.
  const { client } = await scene.service.signIn('worker', scene.tenant.id)
  const [first] = await deliveries(client, '&eventType=thing.happened')
  assert.ok(first)
  const found = await delivery(client, first.id)
  return {
    found,
    seconds: found.attemptLog.map(({ startedAt }) => (Date.parse(startedAt) - beganMs) / 1000),
    after: (seconds) => new Date(beganMs + seconds * 1000).toISOString(),
    subscription: (await client.get(`/api/webhooks/subscriptions/${found.subscriptionId}`)).body,
  }
}
