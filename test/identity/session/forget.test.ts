/** Sessions that ended long ago go, a few refresh tokens at a time. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { newId } from '../../../src/core/id.ts'
import type { Database } from '../../../src/database/executor.ts'
import { removeSessions } from '../../../src/identity/session/removal.ts'
import { type WatchedTransaction, watched } from '../../support/database/watched.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { startService, type TestService } from '../../support/service.ts'

const sessions = 3
const tokensOfEach = 2000
const ended = '2020-01-01T00:00:00.000Z'
const later = new Date('2020-01-02T00:00:00.000Z')

onEitherDatabase('Sessions that ended long ago', (database) => {
  let service: TestService
  let opened: Database
  before(async () => {
    service = await startService(database)
    opened = (await service.service.operator()).shared.catalogueDatabase
    await opened.transaction(async (transaction) => {
      const mark = (place: number) => (database === 'sqlite' ? '?' : `$${place}`)
      const row = (length: number) => Array.from({ length }, (_, place) => mark(place + 1)).join()
      const session = `INSERT INTO session (id, tenant_id, account_id, created_at, expires_at, client_address) VALUES (${row(6)})`
      const token = `INSERT INTO refresh_token (hash, session_id, created_at) VALUES (${row(3)})`
      for (let count = 0; count < sessions; count++) {
        const id = newId()
        await transaction.run(session, [id, 'default', newId(), ended, ended, ''], true)
        for (let place = 0; place < tokensOfEach; place++) {
          await transaction.run(token, [`${id}-${place}`, id, ended], true)
        }
      }
    })
  })
  after(() => service.stop())

  const countOf = async (table: string): Promise<number> => {
    const { rows } = await opened.executor.run(`SELECT count(*) AS count FROM ${table}`, [], false)
    return Number(rows[0]?.['count'])
  }

  it('go with their refresh tokens in short transactions, and others stay', async () => {
    const seen: WatchedTransaction[] = []
    await removeSessions(watched(opened, seen), later)
    assert.deepEqual([await countOf('session'), await countOf('refresh_token')], [1, 1])
    assert.equal(
      seen.reduce((sum, { rows }) => sum + rows, 0),
      sessions * (tokensOfEach + 1),
    )
    assert.ok(seen.every(({ rows }) => rows <= 500 + sessions))
  })

  it('are left by a stop that comes before', async () => {
    await assert.rejects(removeSessions(opened, new Date('2999-01-01'), AbortSignal.abort()))
    assert.equal(await countOf('session'), 1)
  })
})
