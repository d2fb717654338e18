/** Sessions that ended long ago go, a few refresh tokens at a time. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { newId } from '../../../src/core/id.ts'
import type { Database } from '../../../src/database/executor.ts'
import { removeSessions } from '../../../src/identity/session/removal/removal.ts'
import { type WatchedTransaction, watched } from '../../support/database/watched.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const sessions = 3
const tokensOfEach = 600
const ended = '2020-01-01T00:00:00.000Z'
const later = new Date('2020-01-02T00:00:00.000Z')

onEitherDatabase('Sessions that ended long ago', (database) => {
  let service: IdentityService
  let opened: Database
  /** Sessions that go on. */
  let others: number
  before(async () => {
    service = await sharedIdentityService(database)
    opened = (await service.service.operator()).shared.catalogueDatabase
    others = await countOf('session')
    await opened.transaction(async (transaction) => {
      for (let count = 0; count < sessions; count++) {
        const id = newId()
        const session = `'${id}', 'default', '${newId()}', '${ended}', '${ended}', ''`
        const columns = 'id, tenant_id, account_id, created_at, expires_at, client_address'
        await transaction.run(`INSERT INTO session (${columns}) VALUES (${session})`, [], false)
        const tokens = Array.from(
          { length: tokensOfEach },
          (_, place) => `('${id}-${place}', '${id}', '${ended}')`,
        )
        const into = 'INSERT INTO refresh_token (hash, session_id, created_at)'
        await transaction.run(`${into} VALUES ${tokens.join()}`, [], false)
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
    const old = `session_id NOT IN (SELECT id FROM session)`
    assert.deepEqual([await countOf('session'), await countOf(`refresh_token WHERE ${old}`)], [others, 0])
    assert.equal(
      seen.reduce((sum, { rows }) => sum + rows, 0),
      sessions * (tokensOfEach + 1),
    )
    assert.ok(seen.every(({ rows }) => rows <= 500 + sessions))
  })

  it('are left by a stop that comes before', async () => {
    await assert.rejects(removeSessions(opened, new Date('2999-01-01'), AbortSignal.abort()))
    assert.equal(await countOf('session'), others)
  })
})
