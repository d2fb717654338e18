import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { eventMigrations } from '../../../src/core/events/migration.ts'
import { migrate } from '../../../src/database/migrate/apply.ts'
import { inspect } from '../../support/database/inspect.ts'
import { newDatabase, type OpenedDatabase } from '../../support/database/opened.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase('Events from before there were subscriptions', (name) => {
  let opened: OpenedDatabase
  before(async () => {
    opened = await newDatabase(name)
  })
  after(() => opened.drop())

  it('are not delivered later', async () => {
    const database = opened.open()
    await migrate(database, eventMigrations.slice(0, 1))
    await add('evt_old')
    await migrate(database, eventMigrations)
    await add('evt_new')
    const waiting = await inspect(opened.url, 'SELECT id FROM event WHERE dispatched_at IS NULL')
    assert.deepEqual(
      waiting.map(({ id }) => id),
      ['evt_new'],
    )
  })

  function add(id: string) {
    const values = `('acme', '${id}', 'user.deleted', '{}', '2026-01-31T09:30:00.000Z')`
    return inspect(opened.url, `INSERT INTO event (tenant_id, id, type, data, created_at) VALUES ${values}`)
  }
})
