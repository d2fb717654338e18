/** The tenant is changed all the while; its move ends at each phase in turn, and is run again. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { MovePhase } from '../../../src/operations/move/plan.ts'
import { type FutureDatabase, futureDatabase } from '../../support/database/future-database.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { BusyClients } from '../busy-clients.ts'
import { isServedFrom, type MovingScene, setMovingScene, toldOfEverything } from './moving.ts'

const clients = 3
/** Of the switch, by the service. */
const changePropagationMs = 2000
/** What a writer waits for at most: held for less than a second, then refused, and tried again until it is served. */
const longestWaitMs = 4000

describe('Moving', { concurrency: 2 }, () => {
  onEachDatabase('A tenant that is moved while it is served, the catalogue', (database) => {
    const future: FutureDatabase[] = []
    after(async () => {
      for (const each of future) await each.drop()
    })

    it('keeps every write that was acknowledged, wherever it goes and wherever the move ends in between', async () => {
      await using scene = await setMovingScene(database)
      await using busy = new BusyClients(scene.admin)
      busy.start(clients)
      const user = await scene.admin.post('/api/users', { ...early, userName: 'early' })
      assert.equal(user.status, 201, user.text)

      await endedAt(scene, 'sqlite:acme.db', ['copying', 'verified', 'switching', 'switched'])
      assert.equal(await scene.move('sqlite:acme.db'), null)
      await isServedFrom(scene, 'sqlite', changePropagationMs)
      const shared = ['product', 'category', 'sales_order', 'sales_order_item', 'idempotency', 'delivery']
      for (const table of shared) assert.equal(await scene.count(scene.sharedUrl, table), 0, table)

      if (database === 'postgres') {
        const own = await futureDatabase()
        future.push(own)
        assert.match((await scene.move(own.url)) ?? '', /acme\.db$/)
        await isServedFrom(scene, 'postgres', changePropagationMs)
      }
      await endedAt(scene, 'shared', ['fenced'])
      assert.notEqual(await scene.move('shared'), null)
      await isServedFrom(scene, 'shared', changePropagationMs)

      await busy.stop()
      await busy.check()
      assert.ok(busy.longestMs < longestWaitMs, `somebody waited ${busy.longestMs} ms`)
      await toldOfEverything(scene, busy)
      const told = scene.receiver.requests.map(({ body }) => JSON.parse(body))
      assert.ok(told.some(({ type, data }) => type === 'user.created' && data.userName === 'early'))
    })
  })
})

const early = { email: 'e@example.com', password: 'Admin@123', firstName: 'E', lastName: 'B' }

class Ended extends Error {}

/** As if the process had ended there: nothing of it is tidied up. */
async function endedAt(scene: MovingScene, to: string, phases: readonly MovePhase[]): Promise<void> {
  for (const phase of phases) {
    const reached = (here: MovePhase): void => {
      if (here === phase) throw new Ended()
    }
    await assert.rejects(scene.move(to, { reached }), Ended)
  }
}
