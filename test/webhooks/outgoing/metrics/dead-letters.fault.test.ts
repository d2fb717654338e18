/** Counting dead and pending deliveries reads all of them, on another thread than the serving one. Few take no time. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { TestClock } from '../../../support/clock.ts'
import { answering, setScene } from '../../../support/webhooks/delivery-scene.ts'

const copies = 300_000

it('The figures of very many deliveries on SQLite are counted by another thread', async () => {
  const clock = new TestClock()
  await using scene = await setScene('sqlite', {}, { clock: clock.now })
  await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [] })
  await scene.publish()
  await scene.look()
  const dead = async () => {
    const { text } = await scene.service.anonymous.get('/metrics')
    return Number(/^webhook_dead_letters (\d+)$/m.exec(text)?.[1])
  }
  assert.equal(await dead(), 1) // the thread is there
  multiply(join(scene.service.dataDir, 'tenantry.db'))
  clock.advance({ seconds: 16 })
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  assert.equal(await dead(), copies + 1)
  const [ownSpent, allSpent] = [process.threadCpuUsage(own), process.cpuUsage(all)]
  const share = (ownSpent.user + ownSpent.system) / (allSpent.user + allSpent.system)
  assert.ok(share < 0.5, `${share} of the processor time was that of the thread which serves`)
})

function multiply(file: string): void {
  const connection = new DatabaseSync(file, { timeout: 5000 })
  const others = connection
    .prepare("SELECT name FROM pragma_table_info('delivery') WHERE name NOT IN ('id', 'copy')")
    .all()
    .map(({ name }) => name)
    .join(', ')
  connection.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
    INSERT INTO delivery (id, copy, ${others}) SELECT format('%s-%d', id, i), i, ${others} FROM delivery, n`)
  connection.close()
}
