/** The walk on one database, as far as a run goes. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { DatabaseName } from '../support/databases.ts'
import { runSeed } from '../support/run/extent.ts'
import type { ReadWay } from './lists.ts'
import { beside, type Scene, startScene } from './scene.ts'
import { walkState } from './states.ts'
import { newTally } from './walk.ts'
import { readWays } from './ways.ts'

interface Extent {
  /** At least; each state of the rows gives some thousands. */
  answers: number
  /** One of so many ways is tried, by turns. */
  share: number
}

export function declareWalk(database: DatabaseName, { answers, share }: Extent): void {
  let scene: Scene
  let ways: ReadWay[]
  before(async () => {
    scene = await startScene(database)
    ways = await readWays(scene.admin.client)
  })
  after(() => scene.service.stop())

  it('finds nothing that the oracle does not give', async () => {
    const tally = newTally()
    const chosen = ways.filter(({ isForAll }, index) => isForAll === true || (index + runSeed) % share === 0)
    await beside(scene, async (ask) => {
      for (let turn = 0; tally.answers < answers && tally.faults.length === 0; turn++)
        await walkState(scene, ask, { seed: runSeed * 1000 + turn, turn, ways: chosen, rounds: 6, tally })
    })
    process.stdout.write(`${tally.answers} answers by ${tally.tried.size} ways\n`)
    assert.deepEqual(tally.faults.slice(0, 12), [])
    assert.deepEqual(
      chosen.filter(({ name }) => !tally.tried.has(name)),
      [],
    )
  })
}
