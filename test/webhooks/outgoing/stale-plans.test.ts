/** Earlier deliveries do not increase what one delivery reads, whatever statistics PostgreSQL has. */
import { after, before, describe, it } from 'node:test'
import { triesAll } from '../../support/run/extent.ts'
import { assertLookedUp, type CountingServer, startCountingServer } from './stale-plans.ts'

const rows = 20_000
/** `stale-plans.fault.test.ts` has all of them. */
const kinds = triesAll ? (['of nothing', 'of a backlog'] as const) : (['of a backlog'] as const)

describe(`Beside ${rows} events of the past, no statement reads more than it looks up`, () => {
  let server: CountingServer
  before(async () => {
    server = await startCountingServer()
  })
  after(() => server[Symbol.asyncDispose]())

  for (const statistics of kinds) {
    it(`with plans from when there were a few, and statistics ${statistics}`, async () => {
      assertLookedUp(await server.touchedBeside(rows, statistics), 25)
    })
  }
})
