/** Earlier deliveries do not increase what one delivery reads, whatever statistics PostgreSQL has. */
import { after, before, describe, it } from 'node:test'
import { triesAll } from '../../support/run/extent.ts'
import { assertLookedUp, type CountingServer, startCountingServer } from './stale-plans.ts'

/** With fewer, an index that reads all rows of the tenant seems as cheap as the right one for longer. */
const sizes = triesAll ? [10_000, 20_000] : [10_000]
/** `stale-plans.fault.test.ts` has all of them. */
const kinds = triesAll ? (['of nothing', 'of a backlog'] as const) : (['of a backlog'] as const)

describe('Beside events of the past, no statement reads more than it looks up', () => {
  let server: CountingServer
  before(async () => {
    server = await startCountingServer()
  })
  after(() => server[Symbol.asyncDispose]())

  for (const statistics of kinds)
    for (const rows of sizes)
      it(`with plans from when there were a few, ${rows} now, and statistics ${statistics}`, async () => {
        assertLookedUp(await server.touchedBeside(rows, statistics), 25)
      })
})
