import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import type { TestTenant } from '../../support/service.ts'
import { type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

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

  it('gives another successor within a minute, while nobody has used the first one', async () => {
    const { refreshToken } = await signIn()
    const { body: lost } = await refresh(refreshToken)
    clock.advance({ seconds: 30 })
    const { body: alsoLost } = await refresh(refreshToken)
    clock.advance({ seconds: 25 })
    const retried = await refresh(refreshToken)
    assert.equal(retried.status, 200, retried.text)
    assert.equal(new Set([lost, alsoLost, retried.body].map((body) => body.refreshToken)).size, 3)
    clock.advance({ minutes: 2 })
    assert.equal((await refresh(retried.body.refreshToken)).status, 200)
  })

  it('ends the session of a thief as soon as the other one refreshes, whoever was first', async () => {
    for (const isThiefFirst of [true, false]) {
      const { refreshToken, accessToken } = await signIn()
      const { body: first } = await refresh(refreshToken)
      clock.advance({ seconds: 30 })
      const { body: second } = await refresh(refreshToken)
      const [thief, owner] = isThiefFirst ? [first, second] : [second, first]
      assert.equal((await refresh(second.refreshToken)).status, 200)
      await isStolen(
        first.refreshToken,
        [accessToken, thief.accessToken, owner.accessToken],
        [second.refreshToken],
      )
    }
  })

  it('ends the session within a minute when the successor was used', async () => {
    const { refreshToken, accessToken } = await signIn()
    const { body: first } = await refresh(refreshToken)
    const { body: second } = await refresh(first.refreshToken)
    clock.advance({ seconds: 11 })
    await isStolen(refreshToken, [accessToken, second.accessToken], [second.refreshToken])
  })

  it('gives one successor that works, when several retry at once', async () => {
    const { refreshToken } = await signIn()
    await refresh(refreshToken)
    clock.advance({ seconds: 30 })
    const retries = await Promise.all(Array.from({ length: rivals }, () => refresh(refreshToken)))
    const successors = new Set(retries.map(({ body }) => body.refreshToken))
    assert.equal(successors.size, rivals)
    const latest = '/api/audit?action=session.reuseDetected&limit=1'
    const former = (await tenant.admin.get(latest)).body
    const uses = await Promise.all([...successors].map((token) => refresh(token)))
    assert.ok(uses.filter(({ status }) => status === 200).length <= 1)
    assert.notDeepEqual(
      (await tenant.admin.get('/api/audit?action=session.reuseDetected&limit=1')).body,
      former,
    )
  })

  it('later ends the whole session: the successor and the access tokens of both', async () => {
    const { refreshToken, accessToken } = await signIn()
    const { body } = await refresh(refreshToken)
    clock.advance({ seconds: 61 })
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
    clock.advance({ seconds: 61 })
    assert.equal((await refresh(stolen.refreshToken)).status, 401)
    assert.equal((await bearer(other.accessToken)).status, 200)
    assert.equal((await refresh(other.refreshToken)).status, 200)
  })

  it('leaves a record of it', async () => {
    const { refreshToken } = await signIn()
    await refresh(refreshToken)
    clock.advance({ seconds: 61 })
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
      await eventually('the end of the session', soonMs, async () => (await bearer(token)).status === 401)
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
