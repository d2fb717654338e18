import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { runDespiteKills } from './endurance.ts'

onEachDatabase('A job', (database) => {
  it('is run again after a kill in the middle of it, and none is lost', async () => {
    const { repeated, interrupted } = await runDespiteKills(database, 3)
    assert.ok(interrupted > 0, 'the kills came between the jobs')
    assert.ok(repeated <= interrupted, `${repeated} repeated, ${interrupted} interrupted`)
  })
})
