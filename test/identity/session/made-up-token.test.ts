/** Tokens that anybody can make up: their cost, and that other requests do not wait. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import pg from 'pg'
import { isLockWaiting } from '../../support/database/inspect.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { password, startService, uniqueName } from '../../support/service.ts'
import { sharedIdentityService } from '../identity-service.ts'

/** The search for a key waits for as long as the test, on a busy machine. */
const databaseTimeouts = { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 }

const token = 'a'.repeat(43)
const names = { userName: 'eve', firstName: 'Eve', lastName: 'Moneypenny' }

/** By the path to which it is sent. */
const uses: Record<string, [body: object, status: number]> = {
  '/api/auth/refresh': [{ refreshToken: token }, 401],
  '/api/auth/token': [{ code: token, codeVerifier: token }, 401],
  '/api/auth/mfa/verify': [{ token, code: '123456' }, 401],
  '/api/auth/mfa/enroll': [{ token }, 401],
  '/api/auth/mfa/enroll/confirm': [{ token, code: '123456' }, 401],
  '/api/auth/reset-password': [{ token, password }, 400],
  '/api/auth/verify-email': [{ token }, 400],
  '/api/invitations/accept': [{ token, password, ...names }, 400],
  '/api/auth/sign-up/verify': [{ token, password }, 400],
}

describe('A token that somebody has made up', () => {
  it('keeps no genuine one waiting while its key is looked for', async () => {
    const service = await startService('postgres', {}, { databaseTimeouts })
    const holder = new pg.Client({ connectionString: service.config.databaseUrl })
    try {
      const { accessToken } = await service.signIn('admin')
      await holder.connect()
      await holder.query('BEGIN; LOCK TABLE signing_key IN ACCESS EXCLUSIVE MODE')
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: uniqueName('mine') })).toString(
        'base64url',
      )
      const madeUp = [header, ...accessToken.split('.').slice(1)].join('.')
      const ask = () => service.anonymous.withToken(madeUp).get('/api/auth/me')
      const refused = ask()
      const isLookedFor = () => isLockWaiting(service.config.databaseUrl, 'relation IS NOT NULL')
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

  it('waits for no writer, and takes the turn of none', async () => {
    const service = await sharedIdentityService('sqlite')
    const file = service.config.databaseUrl.slice('sqlite:'.length)
    // The service may still write after its answer.
    const writer = new DatabaseSync(file, { timeout: soonMs })
    const send = async (path: string, body: object) =>
      (await service.anonymous.post(path, body, fromAnyAddress())).status
    // What is in the audit once a minute would otherwise be new again on the way.
    service.clock.advance({ seconds: 60 - service.clock.now().getSeconds() })
    try {
      for (const [path, [body, status]] of Object.entries(uses)) {
        // The first in a minute is in the audit.
        assert.equal(await send(path, body), status, path)
        writer.exec('BEGIN IMMEDIATE')
        assert.equal(await send(path, body), status, path)
        writer.exec('ROLLBACK')
      }
    } finally {
      writer.close()
      await service.stop()
    }
  })
})
