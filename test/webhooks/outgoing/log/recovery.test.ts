/** Failed deliveries since a given time are delivered again; a dry run counts them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maxRecovered } from '../../../../src/webhooks/outgoing/log/replay.ts'
import { StillClock } from '../../../support/clock.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { type DatabaseName, onEachDatabase, onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { deliveries, type Scene, setScene } from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

interface Stage {
  scene: Scene
  id: string
  mend(): void
  received(): number
  /** The moment so many seconds after the first of three deliveries, which are a minute apart. */
  at(seconds: number): string
}

/** With three dead deliveries. */
async function withDead(scene: Scene, clock: StillClock, use: (stage: Stage) => Promise<void>) {
  const beganMs = clock.now().getTime()
  let status = 500
  const receiver = await scene.receiver((response) => response.writeHead(status).end())
  const id = await scene.subscribe(receiver, { retrySeconds: [], events: ['thing.happened'] })
  for (let count = 0; count < 3; count++) {
    await scene.publish()
    await scene.look()
    clock.advance({ seconds: 60 })
  }
  const mend = () => {
    status = 200
  }
  const at = (seconds: number) => new Date(beganMs + seconds * 1000).toISOString()
  await use({ scene, id, mend, received: () => receiver.requests.length, at })
}

onEachDatabase('A recovery', (database) => {
  const clock = new StillClock()
  const newScene = scenesOfOwn(database, {}, { clock: clock.now })

  it('sends everything again that is dead since a moment, and nothing older', async () => {
    await using stage = await newScene()
    await withDead(stage, clock, async ({ scene, id, mend, received, at }) => {
      mend()
      const since = at(60)
      const path = `/api/webhooks/subscriptions/${id}/recover`
      const dry = await scene.user.post(path, { since, dryRun: true })
      assert.deepEqual([dry.status, dry.body], [202, { deliveries: 2, dryRun: true, next: null }])
      await scene.look()
      assert.equal(received(), 3)
      const until = at(3600 + 120).replace('Z', '+01:00')
      assert.deepEqual((await scene.user.post(path, { since, until, dryRun: true })).body.deliveries, 1)
      const answer = await scene.user.post(path, { since })
      assert.deepEqual([answer.status, answer.body], [202, { deliveries: 2, dryRun: false, next: null }])
      await scene.look()
      assert.equal(received(), 5)
      const states = (await deliveries(scene.user)).map(({ status, attempts }) => [status, attempts])
      assert.deepEqual(states, [
        ['DEAD', 1],
        ['SUCCEEDED', 2],
        ['SUCCEEDED', 2],
      ])
      assert.equal((await scene.user.post(path, { since })).body.deliveries, 0)
    })
  })

  it('begins the schedule anew, and keeps the attempts of before', async () => {
    await using stage = await newScene()
    await withDead(stage, clock, async ({ scene, id, received, at }) => {
      await scene.user.send('PATCH', `/api/webhooks/subscriptions/${id}`, { retrySeconds: [7] })
      const since = at(120)
      await scene.user.post(`/api/webhooks/subscriptions/${id}/recover`, { since })
      await scene.look()
      assert.equal(received(), 4)
      clock.advance({ seconds: 7 })
      await scene.look()
      assert.equal(received(), 5)
      const [last] = (await deliveries(scene.user)).slice(-1)
      assert.deepEqual([last?.status, last?.attempts], ['DEAD', 3])
      const { body } = await scene.user.get(`/api/webhooks/deliveries/${last?.id}`)
      assert.deepEqual(
        body.attemptLog.map(({ number }: { number: number }) => number),
        [1, 2, 3],
      )
    })
  })

  it('needs a moment: 400', async () => {
    await using scene = await newScene()
    const id = await scene.subscribe(await scene.receiver())
    const path = `/api/webhooks/subscriptions/${id}/recover`
    assertError(await scene.user.post(path, {}), 400, /since/)
    assertError(await scene.user.post(path, { since: 'long ago' }), 400, /since/)
  })
})

onEitherDatabase('A recovery of very much', (database) => {
  it('sends ten thousand at a time, and goes on behind them', async () => {
    const clock = new StillClock()
    await using stage = await setScene(database, {}, { clock: clock.now })
    await withDead(stage, clock, async ({ scene, id, at }) => {
      await scene.service.service.queueWorkers.stop()
      const { databaseUrl } = scene.service.config
      const there = 3
      await inspect(databaseUrl, copiesOf(database, maxRecovered + 5 - there))
      const path = `/api/webhooks/subscriptions/${id}/recover`
      const since = at(0)
      const recover = async (members = {}) => (await scene.user.post(path, { since, ...members })).body
      const whole = { deliveries: maxRecovered + 5, dryRun: true, next: null }
      assert.deepEqual(await recover({ dryRun: true }), whole)

      const { next, ...first } = await recover()
      assert.deepEqual(first, { deliveries: maxRecovered, dryRun: false })
      assert.deepEqual(await recover({ dryRun: true, cursor: next }), { ...whole, deliveries: 5 })
      await inspect(databaseUrl, `UPDATE delivery SET status = 'DEAD' WHERE copy IN ('1', '2', '3')`)
      assert.deepEqual(await recover({ cursor: next }), { deliveries: 5, dryRun: false, next: null })
      assert.deepEqual(await recover(), { deliveries: 3, dryRun: false, next: null })

      await inspect(databaseUrl, `UPDATE delivery SET status = 'DEAD'`)
      await inspect(databaseUrl, `DELETE FROM delivery WHERE copy IN ('1', '2', '3', '4', '5')`)
      assert.deepEqual(await recover(), { deliveries: maxRecovered, dryRun: false, next: null })
      assertError(await scene.user.post(path, { since, cursor: 'eA' }), 400, /^cursor: /)
    })
  })
})

/** So many more of the newest delivery, older than all others by their ids. */
function copiesOf(database: DatabaseName, number: number): string {
  const digits = database === 'postgres' ? "lpad(i::text, 12, '0')" : "printf('%012d', i)"
  const id = `'01000000-0000-7000-8000-' || ${digits}`
  return `INSERT INTO delivery (tenant_id, id, subscription_id, event_id, event_type, kind, copy, status, attempts,
      attempts_before, created_at, finished_at, reason)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${number})
    SELECT tenant_id, ${database === 'postgres' ? `(${id})::uuid` : id}, subscription_id, event_id, event_type, 'REPLAY',
      ${database === 'postgres' ? 'i::text' : 'cast(i AS text)'}, status, attempts, attempts_before, created_at,
      finished_at, reason
    FROM n, (SELECT * FROM delivery ORDER BY id DESC LIMIT 1) AS newest`
}
