/** No acknowledged event is lost. `npm run campaign` tests the same for longer. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onEachDatabase, onEitherDatabase } from '../../support/databases.ts'
import { runsOf } from '../../support/run/extent.ts'
import { deliverDespiteKills } from './endurance.ts'
import { endureOutageOf } from './outages.ts'

const rounds = runsOf(1, 3)
const outageMs = 1500

describe('No event is lost', { concurrency: 2 }, () => {
  onEitherDatabase('by kill -9', (database) => {
    it(`under load, ${rounds} times: each arrives, and twice at most what was being sent`, async () => {
      const { acknowledged, duplicates, interrupted } = await deliverDespiteKills(database, rounds)
      assert.ok(acknowledged >= rounds * 20)
      assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
    })
  })

  onEachDatabase('without the database', (database) => {
    it('and without a restart: twice comes at most what was being sent', async () => {
      const { duplicates, interrupted } = await endureOutageOf(database, outageMs)
      assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
    })
  })
})
