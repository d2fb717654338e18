/** Lists of random entities over REST, for callers with a budget. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import type { DatabaseName } from '../../support/databases.ts'
import { runsOf } from '../../support/run/extent.ts'
import { anyRequest, matching, ofEach, queryOf } from './lists.ts'
import { createWorld, told } from './world.ts'

const size = { definitions: 6, rows: runsOf(6, 12) }
const requests = runsOf(1, 3)

export function listCostSuite(database: DatabaseName, seed: number): void {
  it('are within the budget that a user has by default, whatever is asked for', async () => {
    const world = await createWorld(database, { ...size, seed, options: {} })
    try {
      await ofEach(world, async (definition, rows) => {
        const asked = fc.sample(anyRequest(definition, rows), { numRuns: requests, seed })
        for (const request of asked) {
          const query = queryOf(request)
          const { status, headers, text } = await world.owner.user.get(`${definition.path}?${query}`)
          assert.equal(status, 200, told(definition, `${query}`, text))
          const expected = matching(request, rows).length
          assert.equal(headers.get('x-total-count'), `${expected}`, told(definition, `${query}`))
        }
      })
    } finally {
      await world.service.stop()
    }
  })
}
