import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { resync } from '../../../src/database/executor.ts'
import { defaultTimeouts, openPostgres } from '../../../src/database/postgres/postgres-database.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'

describe('The connection that hears of changes', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  before(async () => {
    postgres = await createPostgresDatabase()
  })
  after(() => postgres.drop())

  it('is kept when the process was paused while it waited for an answer', async () => {
    const changes: string[] = []
    const database = openPostgres(postgres.url, { ...defaultTimeouts, maxConnections: 2 })
    database.onChange((change) => changes.push(change))
    const { query } = pg.Client.prototype
    let questions = 0
    try {
      await eventually('the beginning', soonMs, async () => changes.includes(resync))
      pg.Client.prototype.query = function paused(this: pg.Client, ...given: unknown[]) {
        const answer = Reflect.apply(query, this, given)
        if (given[0] === 'select 1' && ++questions === 1) setImmediate(pauseProcess, 2000)
        return answer
      } as typeof query
      const known = changes.length
      await eventually('a second question', soonMs, async () => questions > 1)
      await delay(100)
      assert.deepEqual(changes.slice(known), [])
    } finally {
      pg.Client.prototype.query = query
      await database.close()
    }
  })
})

function pauseProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
