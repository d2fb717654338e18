/** Earlier deliveries do not increase what one delivery reads, whatever statistics PostgreSQL has. */
import { after, before, describe, it } from 'node:test'
import { runsOf } from '../../support/run/extent.ts'
import { assertLookedUp, type CountingServer, startCountingServer } from './stale-plans.ts'

const rows = runsOf(12_000, 20_000)

describe(`Beside ${rows} events of the past, no statement reads more than it looks up`, () => {
  let server: CountingServer
  before(async () => {
    server = await startCountingServer()
  })
  after(() => server[Symbol.asyncDispose]())

  for (const statistics of ['of nothing', 'of a backlog'] as const) {
    it(`with plans from when there were a few, and statistics ${statistics}`, async () => {
      assertLookedUp(await server.touchedBeside(rows, statistics), 25)
    })
  }
})
