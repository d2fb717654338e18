import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { password, person, uniqueName } from '../../support/service.ts'
import { setHash } from '../../support/weak-hash.ts'
import { nextHash } from '../hash-count.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'
import { slowHash } from '../slow-hash.ts'

/** Checking the password takes long enough for an administrator to change the user meanwhile. */
onEitherDatabase('A sign-in that is under way', (database) => {
  let service: IdentityService
  let userId: string
  let userName: string
  before(async () => {
    service = await sharedIdentityService(database)
  })
  after(() => service.stop())

  const changes: [string, (host: Client) => Promise<Answer>][] = [
    ['the user is deactivated', (host) => host.put(`/api/users/${userId}`, { isActive: false })],
    ['the user is deleted', (host) => host.delete(`/api/users/${userId}`)],
    ['the password is changed', (host) => host.put(`/api/users/${userId}`, { password: 'Other@456' })],
  ]
  for (const [what, change] of changes) {
    it(`gains nothing when ${what} meanwhile`, async () => {
      const signIn = await signInWhile(() => change(service.host))
      if (signIn.status === 200) {
        const client = service.anonymous.withToken(signIn.body.accessToken)
        const isOver = async () => (await client.get('/api/auth/me')).status === 401
        await eventually('the end of the session', soonMs, isOver)
        const { refreshToken } = signIn.body
        assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 401)
      } else {
        assert.equal(signIn.status, 401)
        assert.deepEqual(signIn.body, { message: 'The user name or the password is wrong.' })
      }
    })
  }

  it('is with the roles that the user has at its end', async () => {
    const signIn = await signInWhile(() => service.host.put(`/api/users/${userId}`, { roles: ['User'] }))
    const client = service.anonymous.withToken(signIn.body.accessToken)
    const isNoAdmin = async () => [401, 403].includes((await client.get('/api/users')).status)
    await eventually('the loss of the role', soonMs, isNoAdmin)
  })

  it('does not put back a renewed hash of the old password over a new one', async () => {
    await newUser()
    const begun = nextHash()
    const signingIn = logIn(password)
    await begun
    await service.host.put(`/api/users/${userId}`, { password: 'Other@456' })
    await signingIn
    assert.equal((await logIn(password)).status, 401)
    assert.equal((await logIn('Other@456')).status, 200)
  })

  it('changes no own password that an administrator has changed meanwhile', async () => {
    await newUser()
    const own = (await service.signIn(userName)).client
    const begun = nextHash()
    const wanted = { currentPassword: password, newPassword: 'Thief@789' }
    const changing = own.put('/api/users/me/password', wanted)
    await begun
    await service.host.put(`/api/users/${userId}`, { password: 'Other@456' })
    const changed = await changing
    if (changed.status === 200) assert.equal((await logIn('Other@456')).status, 200)
    else assert.ok([400, 401].includes(changed.status), changed.text)
    assert.equal((await logIn('Thief@789')).status, 401)
  })

  async function newUser(): Promise<void> {
    userName = uniqueName('user')
    const made = await service.host.post('/api/users', person(userName, { roles: ['Admin'] }))
    userId = made.body.id
    await setHash(service, userName, slowHash())
  }

  async function signInWhile(change: () => Promise<Answer>): Promise<Answer> {
    await newUser()
    const begun = nextHash()
    const signingIn = logIn(password)
    await begun
    const changed = await change()
    assert.ok(changed.status === 200 || changed.status === 204, changed.text)
    return signingIn
  }

  function logIn(tried: string): Promise<Answer> {
    const from = { 'x-forwarded-for': `10.6.0.${1 + (attempts++ % 250)}` }
    return service.anonymous.post('/api/auth/login', { userName, password: tried }, from)
  }
})

let attempts = 0
