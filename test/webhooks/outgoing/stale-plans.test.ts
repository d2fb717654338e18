/** Earlier deliveries do not increase what one delivery reads, whatever statistics PostgreSQL has. */
import { describe, it } from 'node:test'
import { assertLookedUp, touchedBeside } from './stale-plans.ts'

const rows = 20_000

describe(`Beside ${rows} events of the past, no statement reads more than it looks up`, () => {
  for (const statistics of ['of nothing', 'of a backlog'] as const) {
    it(`with plans from when there were a few, and statistics ${statistics}`, async () => {
      assertLookedUp(await touchedBeside(rows, statistics), 25)
    })
  }
})
