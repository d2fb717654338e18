/** No acknowledged event is lost. `npm run campaign` tests the same for longer. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { triesAll } from '../../support/run/extent.ts'
import { deliverDespiteKills, endureOutage, type Report } from './endurance.ts'
import { endureOutageOf, lockFile } from './outages.ts'

const outageMs = 1500

function assertTwiceAtMost({ duplicates, interrupted }: Report): void {
  assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
}

function declareMany(rounds: number): void {
  onEachDatabase('by kill -9', (database) => {
    it(`${rounds} times under load: each arrives, and twice at most what was being sent`, async () => {
      const report = await deliverDespiteKills(database, rounds)
      assert.ok(report.acknowledged >= rounds * 20)
      assertTwiceAtMost(report)
    })
  })

  onEachDatabase('without the database', (database) => {
    it('and without a restart: twice comes at most what was being sent', async () => {
      assertTwiceAtMost(await endureOutageOf(database, outageMs))
    })
  })
}

/** With as few processes as it takes. `takeover.test.ts` kills one on PostgreSQL. */
function declareFew(): void {
  it('by kill -9 on sqlite, nor while the file is locked: twice comes at most what was being sent', async () => {
    const ofOutage: Report[] = []
    const ofKill = await deliverDespiteKills('sqlite', 1, [20, 60], async (client, store) => {
      ofOutage.push(await endureOutage(client, lockFile(store, outageMs)))
    })
    assert.ok(ofKill.acknowledged >= 40)
    assert.equal(ofOutage.length, 1)
    for (const report of [ofKill, ...ofOutage]) assertTwiceAtMost(report)
  })

  it('without postgres and without a restart: twice comes at most what was being sent', async () => {
    assertTwiceAtMost(await endureOutageOf('postgres', outageMs))
  })
}

describe('No event is lost', { concurrency: 2 }, () => (triesAll ? declareMany(3) : declareFew()))
