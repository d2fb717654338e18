import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import type { SignedIn, TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const logout = '/api/auth/logout'

onEitherDatabase('Signing out', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const bodies: [string, (own: SignedIn) => unknown][] = [
    ['an object', ({ refreshToken }) => ({ refreshToken })],
    ['a bare string', ({ refreshToken }) => JSON.stringify(refreshToken)],
    ['no body', () => undefined],
    ['an empty object', () => ({})],
    ['a refresh token that nobody knows', () => ({ refreshToken: 'unknown' })],
  ]
  for (const [what, bodyOf] of bodies) {
    it(`with ${what} ends the session`, async () => {
      const own = await signIn('worker')
      const answer = await own.client.post(logout, bodyOf(own))
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, { message: 'You are signed out.' })
      await isOver(own)
    })
  }

  it('ends the session of the refresh token as well when it is the same user’s', async () => {
    const [here, there] = [await signIn('worker'), await signIn('worker')]
    assert.equal((await here.client.post(logout, { refreshToken: there.refreshToken })).status, 200)
    await isOver(here)
    await isOver(there)
  })

  it('ends no session of anybody else', async () => {
    const [own, other] = [await signIn('worker'), await signIn('boss')]
    assert.equal((await own.client.post(logout, { refreshToken: other.refreshToken })).status, 200)
    await isOver(own)
    assert.equal((await other.client.get('/api/auth/me')).status, 200)
    assert.equal((await refresh(other)).status, 200)
  })

  it('leaves the other sessions of the user alone', async () => {
    const [own, other] = [await signIn('worker'), await signIn('worker')]
    await own.client.post(logout)
    await isOver(own)
    assert.equal((await other.client.get('/api/auth/me')).status, 200)
    assert.equal((await refresh(other)).status, 200)
  })

  it('needs a token that works', async () => {
    const own = await signIn('worker')
    assert.equal((await service.anonymous.post(logout, { refreshToken: own.refreshToken })).status, 401)
    await own.client.post(logout)
    await isOver(own)
    assert.equal((await own.client.post(logout)).status, 401)
  })

  it('refuses a body that cannot hold a refresh token', async () => {
    const own = await signIn('worker')
    for (const body of ['7', '[]', 'null', '""', '{"refreshToken":7}', '{']) {
      assert.equal((await own.client.post(logout, body)).status, 400, body)
    }
    assert.equal((await own.client.get('/api/auth/me')).status, 200)
  })

  it('of two who end each other’s sessions at once fails neither', async () => {
    for (let round = 0; round < 2; round++) {
      const pair = await Promise.all([signIn('worker'), signIn('worker')])
      const [one, other] = pair
      const answers = await Promise.all([
        one.client.post(logout, { refreshToken: other.refreshToken }),
        other.client.post(logout, { refreshToken: one.refreshToken }),
      ])
      for (const { status } of answers) assert.ok(status === 200 || status === 401, `${status}`)
      await Promise.all(pair.map(isOver))
    }
  })

  function signIn(userName: string): Promise<SignedIn> {
    return service.signIn(userName, tenant.id)
  }

  async function isOver(signedIn: SignedIn): Promise<void> {
    const ended = async () => (await signedIn.client.get('/api/auth/me')).status === 401
    await eventually('the end of the session', soonMs, ended)
    assert.equal((await refresh(signedIn)).status, 401)
  }

  function refresh({ refreshToken }: SignedIn) {
    return service.anonymous.post('/api/auth/refresh', { refreshToken })
  }
})
