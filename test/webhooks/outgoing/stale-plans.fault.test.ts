/** The same as in `stale-plans.test.ts` beside a million events. */
import { describe, it } from 'node:test'
import { assertLookedUp, startCountingServer } from './stale-plans.ts'

const rows = 1_000_000

describe(`Beside ${rows} events of the past, no statement reads more than it looks up`, () => {
  for (const statistics of ['none', 'of nothing', 'of a backlog'] as const) {
    it(`with plans from when there were a few, and statistics ${statistics}`, async () => {
      await using server = await startCountingServer()
      assertLookedUp(await server.touchedBeside(rows, statistics), 15) // without those of the retention
    })
  }
})
