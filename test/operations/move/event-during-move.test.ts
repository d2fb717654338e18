/** During a move, an event without subscribers here may have some in the new place by its commit. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Context } from '../../../src/core/context.ts'
import { writeEvent } from '../../../src/core/events/publish.ts'
import { inCatalogue } from '../../../src/core/transaction.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { setMovingScene, tenantId } from './moving.ts'

onEitherDatabase('An event that nobody wants', (database) => {
  it('is left to the dispatcher while its tenant is moved', async () => {
    await using scene = await setMovingScene(database)
    const [{ id }] = (await scene.admin.get('/api/webhooks/subscriptions')).body
    await scene.admin.delete(`/api/webhooks/subscriptions/${id}`)
    const left = new Map<string, boolean>()
    await scene.asOperator(async (operator) => {
      /** Of an event that is recorded in the shared database. */
      const isLeft = () => inCatalogue(operator, recordAndLook)
      assert.equal(await isLeft(), false)
      await scene.move('sqlite:acme.db', {
        reached: async (phase) => void left.set(phase, await isLeft()),
      })
      assert.equal(await isLeft(), true)
    })
    for (const phase of ['copying', 'switching', 'switched'])
      assert.deepEqual([phase, left.get(phase)], [phase, true])
  })
})

async function recordAndLook(inside: Context): Promise<boolean> {
  const id = await writeEvent(inside, 'thing.happened', {}, tenantId)
  const text = `SELECT dispatched_at FROM event WHERE id = '${id}'`
  const rows = (await inside.transaction?.run(text, [], false))?.rows ?? []
  assert.equal(rows.length, 1)
  return rows[0]?.['dispatched_at'] === null
}
