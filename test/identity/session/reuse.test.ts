import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('A refresh token that is used again', (database) => {
  let service: IdentityService
  let clock: TestClock
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('gives the same successor within ten seconds: the reply may have been lost', async () => {
    const { refreshToken } = await signIn()
    const first = await refresh(refreshToken)
    clock.advance({ seconds: 9 })
    const second = await refresh(refreshToken)
    assert.equal(second.status, 200)
    assert.equal(second.body.refreshToken, first.body.refreshToken)
    assert.equal((await refresh(first.body.refreshToken)).status, 200)
  })

  it('later ends the whole session: the successor and the access tokens of both', async () => {
    const { refreshToken, accessToken } = await signIn()
    const { body } = await refresh(refreshToken)
    clock.advance({ seconds: 11 })
    await isStolen(refreshToken, [accessToken, body.accessToken], [body.refreshToken])
  })

  it('also several generations later', async () => {
    const signedIn = await signIn()
    const chain = [signedIn]
    for (let count = 0; count < 4; count++) {
      const { body } = await refresh(chain.at(-1)?.refreshToken ?? '')
      chain.push(body)
      clock.advance({ seconds: 3 })
    }
    const accessTokens = chain.map(({ accessToken }) => accessToken)
    await isStolen(
      signedIn.refreshToken,
      accessTokens,
      chain.map(({ refreshToken }) => refreshToken).slice(1),
    )
  })

  it('leaves the other sessions of the user alone', async () => {
    const [stolen, other] = [await signIn(), await signIn()]
    await refresh(stolen.refreshToken)
    clock.advance({ seconds: 11 })
    assert.equal((await refresh(stolen.refreshToken)).status, 401)
    assert.equal((await bearer(other.accessToken)).status, 200)
    assert.equal((await refresh(other.refreshToken)).status, 200)
  })

  it('leaves a record of it', async () => {
    const { refreshToken } = await signIn()
    await refresh(refreshToken)
    clock.advance({ seconds: 11 })
    await refresh(refreshToken)
    const { body } = await tenant.admin.get('/api/audit?limit=1')
    assert.equal(body[0].action, 'session.reuseDetected')
    assert.equal(body[0].actorName, 'worker')
  })

  it('gives nothing, and ends nothing twice, when its session is over', async () => {
    const { refreshToken, accessToken } = await signIn()
    await service.anonymous.withToken(accessToken).post('/api/auth/logout')
    assert.equal((await refresh(refreshToken)).status, 401)
    const { body } = await tenant.admin.get('/api/audit?limit=1')
    assert.equal(body[0].action, 'session.ended')
  })

  async function signIn(): Promise<{ accessToken: string; refreshToken: string }> {
    const { accessToken, refreshToken } = await service.signIn('worker', tenant.id)
    return { accessToken, refreshToken }
  }

  async function isStolen(reused: string, accessTokens: string[], successors: string[]): Promise<void> {
    for (const token of accessTokens) assert.equal((await bearer(token)).status, 200)
    assert.equal((await refresh(reused)).status, 401)
    for (const token of accessTokens) {
      await eventually('the end of the session', 1000, async () => (await bearer(token)).status === 401)
    }
    for (const token of successors) assert.equal((await refresh(token)).status, 401)
  }

  function bearer(token: string): Promise<Answer> {
    return service.anonymous.withToken(token).get('/api/auth/me')
  }

  function refresh(refreshToken: string): Promise<Answer> {
    return service.anonymous.post('/api/auth/refresh', { refreshToken })
  }
})
