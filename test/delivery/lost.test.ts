/** Nothing that was acknowledged is lost. `npm run campaign` tries the same for longer. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from '../database/inspect.ts'
import { Wire } from '../database/wire.ts'
import { createPostgresDatabase, onEachDatabase } from '../harness/databases.ts'
import { endureKills, endureOutage } from './endurance.ts'

const rounds = 3

describe('No event is lost', { concurrency: 2 }, () => {
  onEachDatabase('by kill -9', (database) => {
    it(`${rounds} times under load: each arrives, and twice at most what was being sent`, async () => {
      const { acknowledged, duplicates, interrupted } = await endureKills(database, rounds)
      assert.ok(acknowledged >= rounds * 20)
      assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
    })
  })

  it('while PostgreSQL cannot be reached, without a restart: twice comes at most what was being sent', async () => {
    const postgres = await createPostgresDatabase()
    const wire = await Wire.to(postgres.url)
    try {
      const { duplicates, interrupted } = await endureOutage('sqlite', { DATABASE_URL: wire.url }, () => ({
        ms: 1500,
        begin: () => wire.cut(),
        end: () => wire.mend(),
        rows: (sql) => inspect(postgres.url, sql),
      }))
      assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
    } finally {
      await wire.cut()
      await postgres.drop()
    }
  })
})
