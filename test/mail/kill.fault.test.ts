import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { runDespiteKills } from './endurance.ts'

onEachDatabase('A mail', (database) => {
  it('is sent again after a kill in the middle of it, and none is lost', async () => {
    const { repeated, interrupted } = await runDespiteKills(database, 5)
    assert.ok(interrupted > 0, 'the kills came between the mails')
    assert.ok(repeated <= interrupted, `${repeated} repeated, ${interrupted} interrupted`)
  })
})
