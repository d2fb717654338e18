/** During a move, an event without subscribers here may have some in the new place by its commit. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Context } from '../../../src/core/context.ts'
import { writeEvent } from '../../../src/core/events/publish.ts'
import { inCatalogue } from '../../../src/core/transaction.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type MovingScene, setMovingScene, tenantId } from './moving.ts'

onEachDatabase('An event that nobody wants', (database) => {
  it('is left to the dispatcher while its tenant is moved', async () => {
    await using scene = await setMovingScene(database)
    const [{ id }] = (await scene.admin.get('/api/webhooks/subscriptions')).body
    await scene.admin.delete(`/api/webhooks/subscriptions/${id}`)
    assert.equal(await isLeft(scene), false)
    const left = new Map<string, boolean>()
    await scene.move('sqlite:acme.db', {
      reached: async (phase) => void left.set(phase, await isLeft(scene)),
    })
    for (const phase of ['copying', 'switching', 'switched'])
      assert.deepEqual([phase, left.get(phase)], [phase, true])
    assert.equal(await isLeft(scene), true)
  })
})

/** Of one that is recorded in the shared database. */
function isLeft(scene: MovingScene): Promise<boolean> {
  return scene.asOperator((operator) => inCatalogue(operator, recordAndLook))
}

async function recordAndLook(inside: Context): Promise<boolean> {
  const id = await writeEvent(inside, 'thing.happened', {}, tenantId)
  const text = `SELECT dispatched_at FROM event WHERE id = '${id}'`
  const rows = (await inside.transaction?.run(text, [], false))?.rows ?? []
  assert.equal(rows.length, 1)
  return rows[0]?.['dispatched_at'] === null
}
