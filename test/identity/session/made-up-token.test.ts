/** Tokens that anybody can make up: their cost, and that other requests do not wait. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import pg from 'pg'
import { inspect } from '../../support/database/inspect.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { uniqueName } from '../../support/service.ts'
import { sharedIdentityService } from '../identity-service.ts'

describe('A token that somebody has made up', () => {
  it('keeps no genuine one waiting while its key is looked for', async () => {
    const service = await sharedIdentityService('postgres')
    const holder = new pg.Client({ connectionString: service.config.databaseUrl })
    try {
      const { accessToken } = await service.signIn('admin')
      await holder.connect()
      await holder.query('BEGIN; LOCK TABLE signing_key IN ACCESS EXCLUSIVE MODE')
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: uniqueName('mine') })).toString(
        'base64url',
      )
      const madeUp = [header, ...accessToken.split('.').slice(1)].join('.')
      const refused = service.anonymous.withToken(madeUp).get('/api/auth/me')
      const waiting = 'SELECT pid FROM pg_locks WHERE NOT granted AND relation IS NOT NULL'
      const isLookedFor = async () => (await inspect(service.config.databaseUrl, waiting)).length > 0
      await eventually('the search for the key', soonMs, isLookedFor)
      assert.equal((await service.anonymous.withToken(accessToken).get('/api/auth/me')).status, 200)
      assert.equal(await isLookedFor(), true)
      await holder.query('ROLLBACK')
      assert.equal((await refused).status, 401)
    } finally {
      await holder.end()
      await service.stop()
    }
  })

  it('does not wait for the writer when it is to be refreshed', async () => {
    const service = await sharedIdentityService('sqlite')
    const writer = new DatabaseSync(service.config.databaseUrl.slice('sqlite:'.length))
    try {
      writer.exec('BEGIN IMMEDIATE')
      const refreshToken = 'a'.repeat(43)
      const refused = await service.anonymous.post('/api/auth/refresh', { refreshToken })
      assert.equal(refused.status, 401)
    } finally {
      writer.close()
      await service.stop()
    }
  })
})
