/** The secrets of a subscription cannot be decrypted: its row is damaged, or has another master key. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { StillClock } from '../../../support/clock.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { onlyDelivery, setScene } from '../../../support/webhooks/delivery-scene.ts'

onEitherDatabase('A delivery whose secrets cannot be opened', (database) => {
  const damaged = database === 'sqlite' ? "x'01'" : "'\\x01'::bytea"

  for (const column of ['secrets', 'headers']) {
    it(`fails by the schedule, unsent, and goes out once they can: ${column}`, async () => {
      const clock = new StillClock()
      await using scene = await setScene(database, {}, { clock: clock.now })
      const { databaseUrl } = scene.service.config
      const receiver = await scene.receiver()
      await scene.subscribe(receiver, { retrySeconds: [7, 9] })
      await inspect(databaseUrl, 'CREATE TABLE kept AS SELECT * FROM subscription')
      await inspect(databaseUrl, `UPDATE subscription SET ${column} = ${damaged}`)
      await scene.publish()
      await scene.look()
      const first = await onlyDelivery(scene.user)
      assert.deepEqual(
        [first.status, first.attempts, first.nextAttemptAt],
        ['PENDING', 1, '2027-01-01T00:00:07.000Z'],
      )
      const [attempt] = first.attemptLog
      assert.deepEqual(
        [attempt?.outcome, attempt?.errorClass, attempt?.status, attempt?.requestHeaders],
        ['failure', 'secret', null, {}],
      )
      clock.advance({ seconds: 7 })
      await scene.look()
      assert.equal((await onlyDelivery(scene.user)).attempts, 2)
      assert.equal(receiver.requests.length, 0)
      await inspect(databaseUrl, `UPDATE subscription SET ${column} = (SELECT ${column} FROM kept)`)
      clock.advance({ seconds: 9 })
      await scene.look()
      assert.deepEqual([(await onlyDelivery(scene.user)).status, receiver.requests.length], ['SUCCEEDED', 1])
    })
  }

  it('is dead at the end of the schedule', async () => {
    await using scene = await setScene(database)
    await scene.subscribe(await scene.receiver(), { retrySeconds: [] })
    await inspect(scene.service.config.databaseUrl, `UPDATE subscription SET secrets = ${damaged}`)
    await scene.publish()
    await scene.look()
    assert.equal((await onlyDelivery(scene.user)).status, 'DEAD')
    const { text } = await scene.service.anonymous.get('/metrics')
    assert.match(text, /webhook_attempts_total\{outcome="failure",error="secret"\} 1/)
  })
})
