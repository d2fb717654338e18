/** The secrets of a subscription cannot be decrypted: its row is damaged, or has another master key. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { StillClock } from '../../../support/clock.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { onlyDelivery } from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

onEitherDatabase('A delivery whose secrets cannot be opened', (database) => {
  const clock = new StillClock()
  const setScene = scenesOfOwn(database, {}, { clock: clock.now })
  const damaged = database === 'sqlite' ? "x'01'" : "'\\x01'::bytea"

  for (const column of ['secrets', 'headers']) {
    it(`fails by the schedule, unsent, and goes out once they can: ${column}`, async () => {
      await using scene = await setScene()
      const { databaseUrl } = scene.service.config
      const receiver = await scene.receiver()
      const id = await scene.subscribe(receiver, { retrySeconds: [7, 9] })
      await inspect(databaseUrl, `CREATE TABLE kept_${column} AS SELECT * FROM subscription`)
      await inspect(databaseUrl, `UPDATE subscription SET ${column} = ${damaged} WHERE id = '${id}'`)
      await scene.publish()
      await scene.look()
      const first = await onlyDelivery(scene.user)
      assert.deepEqual(
        [first.status, first.attempts, first.nextAttemptAt],
        ['PENDING', 1, new Date(clock.now().getTime() + 7000).toISOString()],
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
      await inspect(
        databaseUrl,
        `UPDATE subscription SET ${column} = (SELECT ${column} FROM kept_${column} WHERE id = '${id}') WHERE id = '${id}'`,
      )
      clock.advance({ seconds: 9 })
      await scene.look()
      assert.deepEqual([(await onlyDelivery(scene.user)).status, receiver.requests.length], ['SUCCEEDED', 1])
    })
  }

  it('is dead at the end of the schedule', async () => {
    await using scene = await setScene()
    const count = async () => {
      const { text } = await scene.service.anonymous.get('/metrics')
      return Number(
        /^webhook_attempts_total\{outcome="failure",error="secret"\} (\d+)$/m.exec(text)?.[1] ?? 0,
      )
    }
    const before = await count()
    const id = await scene.subscribe(await scene.receiver(), { retrySeconds: [] })
    const damage = `UPDATE subscription SET secrets = ${damaged} WHERE id = '${id}'`
    await inspect(scene.service.config.databaseUrl, damage)
    await scene.publish()
    await scene.look()
    assert.equal((await onlyDelivery(scene.user)).status, 'DEAD')
    assert.equal(await count(), before + 1)
  })
})
