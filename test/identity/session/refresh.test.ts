import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { type SignedIn, startService, type TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('A refresh token', (database) => {
  let service: IdentityService
  let clock: TestClock
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('is exchanged for a new pair, in the shape of a sign-in', async () => {
    const { refreshToken, accessToken } = await service.signIn('worker', tenant.id)
    const answer = await refresh({ refreshToken })
    assert.equal(answer.status, 200)
    const { accessToken: next, refreshToken: successor, expiresAt, user } = answer.body
    const kind = { tokenType: 'Bearer', expiresIn: 900 }
    assert.deepEqual(answer.body, { accessToken: next, refreshToken: successor, ...kind, expiresAt, user })
    assert.notEqual(successor, refreshToken)
    const { permissions, emailVerified, ...me } = (
      await service.anonymous.withToken(next).get('/api/auth/me')
    ).body
    assert.deepEqual(me, user)
    assert.equal(emailVerified, false)
    assert.ok(permissions.includes('order:read'))
    assert.equal((await service.anonymous.withToken(accessToken).get('/api/auth/me')).status, 200)
  })

  it('may come as a bare JSON string', async () => {
    const { refreshToken } = await service.signIn('worker', tenant.id)
    const answer = await refresh(JSON.stringify(refreshToken))
    assert.equal(answer.status, 200)
    assert.equal((await refresh(JSON.stringify(answer.body.refreshToken))).status, 200)
  })

  it('stays good for a chain of exchanges', async () => {
    let { refreshToken } = await service.signIn('worker', tenant.id)
    const seen = new Set([refreshToken])
    for (let count = 0; count < 5; count++) {
      refreshToken = (await refresh({ refreshToken })).body.refreshToken
      seen.add(refreshToken)
    }
    assert.equal(seen.size, 6)
  })

  it('carries what has changed about the user since', async () => {
    const { refreshToken } = await service.signIn('worker', tenant.id)
    const me = await tenant.user.get('/api/auth/me')
    await tenant.admin.put(`/api/users/${me.body.id}`, { firstName: 'Augusta' })
    assert.equal((await refresh({ refreshToken })).body.user.firstName, 'Augusta')
  })

  for (const [what, token] of [
    ['random text', 'A'.repeat(43)],
    ['a blank', ' '],
    ['a hash', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ] as const) {
    it(`is refused when it is ${what}`, async () =>
      assertInvalidRefreshToken(await refresh({ refreshToken: token })))
  }

  it('is refused when it is an access token', async () => {
    const { accessToken } = await service.signIn('worker', tenant.id)
    const answer = await refresh({ refreshToken: accessToken })
    assert.ok(answer.status === 401 || answer.status === 400, answer.text)
  })

  it('is asked for with 400 when the body cannot hold one', async () => {
    const bodies = [
      '{}',
      '[]',
      '7',
      'null',
      '""',
      '{"refreshToken":7}',
      '{"refreshToken":""}',
      '{"refreshToken":null}',
    ]
    for (const body of [
      ...bodies,
      JSON.stringify('x'.repeat(513)),
      JSON.stringify({ refreshToken: 'a\0b' }),
    ]) {
      const answer = await refresh(body)
      assert.equal(answer.status, 400, body)
      assert.deepEqual(Object.keys(answer.body), ['message'])
    }
    assert.equal((await service.anonymous.post('/api/auth/refresh')).status, 400)
  })

  it('is refused while the user is deactivated, and afterwards', async () => {
    const { refreshToken, path } = await signInNewWorker()
    await tenant.admin.put(path, { isActive: false })
    assertInvalidRefreshToken(await refresh({ refreshToken }))
    await tenant.admin.put(path, { isActive: true })
    assertInvalidRefreshToken(await refresh({ refreshToken }))
  })

  it('is refused when the user is deleted', async () => {
    const { refreshToken, path } = await signInNewWorker()
    await tenant.admin.delete(path)
    assertInvalidRefreshToken(await refresh({ refreshToken }))
  })

  it('is refused while its tenant is deactivated, and stays so when it is active again', async () => {
    const { id } = await service.newTenant()
    const { refreshToken } = await service.signIn('worker', id)
    await service.host.delete(`/api/tenants/${id}`)
    assertInvalidRefreshToken(await refresh({ refreshToken }))
    await service.host.put(`/api/tenants/${id}`, { isActive: true })
    assertInvalidRefreshToken(await refresh({ refreshToken }))
  })

  it('ends seven days after the last exchange', async () => {
    const { refreshToken } = await service.signIn('worker', tenant.id)
    clock.advance({ days: 6 })
    const renewed = await refresh({ refreshToken })
    assert.equal(renewed.status, 200)
    clock.advance({ days: 6, minutes: 1430 })
    const again = await refresh({ refreshToken: renewed.body.refreshToken })
    assert.equal(again.status, 200)
    clock.advance({ days: 7, seconds: 1 })
    assertInvalidRefreshToken(await refresh({ refreshToken: again.body.refreshToken }))
  })

  let workers = 0

  async function signInNewWorker(): Promise<SignedIn & { path: string }> {
    const userName = `worker${workers++}`
    const body = {
      userName,
      email: `${userName}@example.com`,
      password: 'Admin@123',
      firstName: 'A',
      lastName: 'B',
    }
    const made = await tenant.admin.post('/api/users', body)
    return { ...(await service.signIn(userName, tenant.id)), path: `/api/users/${made.body.id}` }
  }

  function refresh(body: unknown): Promise<Answer> {
    return service.anonymous.post('/api/auth/refresh', body)
  }
})

function assertInvalidRefreshToken({ status, headers, body }: Answer): void {
  assert.equal(status, 401)
  assert.deepEqual(body, { message: 'The refresh token is not valid.' })
  assert.equal(headers.get('www-authenticate'), 'Bearer')
}

onEitherDatabase('A session with a greatest length', (database) => {
  it('ends then, however often it is refreshed, and never later', async () => {
    const clock = new TestClock()
    const service = await startService(database, { SESSION_MAX_DAYS: '10' }, { clock: clock.now })
    let { refreshToken } = await service.signIn('admin')
    for (const days of [6, 3]) {
      clock.advance({ days })
      const answer = await service.anonymous.post('/api/auth/refresh', { refreshToken })
      assert.equal(answer.status, 200)
      refreshToken = answer.body.refreshToken
    }
    clock.advance({ days: 1 })
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 401)
    await service.signIn('admin')
    await service.stop()
  })
})
