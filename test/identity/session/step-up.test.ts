import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { recentSignInMs } from '../../../src/identity/session/recent-sign-in.ts'
import type { Client } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { password, person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('A proof of who one is', (database) => {
  let service: IdentityService
  let clock: TestClock
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  /** Of an administrator with a fresh session. */
  const newAdmin = async (): Promise<{ client: Client; id: string }> => {
    const boss = (await service.signIn('boss', tenant.id)).client
    const userName = uniqueName('admin')
    const { body } = await boss.post('/api/users', person(userName, { roles: ['Admin'] }))
    return { client: (await service.signIn(userName, tenant.id)).client, id: body.id }
  }
  const age = (): void => clock.advance({ seconds: recentSignInMs / 1000 + 1 })
  const newKey = (client: Client) => client.post('/api/api-keys', { name: 'Import', permissions: [] })

  it('is asked for before an API key is created, when the last one is old', async () => {
    const { client } = await newAdmin()
    assert.equal((await newKey(client)).status, 201)
    age()
    const refused = await newKey(client)
    assert.equal(refused.status, 403)
    assert.equal(refused.headers.get('x-step-up'), 'required')
    assert.match(refused.body.message, /step-up/)
    const proven = await client.post('/api/auth/step-up', { password })
    assert.equal(proven.status, 200, proven.text)
    assert.equal(Date.parse(proven.body.authenticatedAt) > clock.now().getTime() - 60_000, true)
    assert.equal((await newKey(client)).status, 201)
  })

  const dangerous: [string, object][] = [
    ['address', { email: `${uniqueName('new')}@example.com` }],
    ['user name', { userName: uniqueName('renamed') }],
    ['password', { password: 'Other@456' }],
    ['roles', { roles: ['User'] }],
  ]
  for (const [what, change] of dangerous) {
    it(`is asked for before one changes one’s own ${what}`, async () => {
      const { client, id } = await newAdmin()
      age()
      const refused = await client.put(`/api/users/${id}`, change)
      assert.deepEqual([refused.status, refused.headers.get('x-step-up')], [403, 'required'])
      assert.equal((await client.put(`/api/users/${id}`, { lastName: 'Other' })).status, 200)
      await client.post('/api/auth/step-up', { password })
      assert.equal((await client.put(`/api/users/${id}`, change)).status, 200)
    })
  }

  it('holds for its own session alone', async () => {
    const { client, id } = await newAdmin()
    const { userName } = (await client.get('/api/auth/me')).body
    const other = await service.signIn(userName, tenant.id)
    age()
    assert.equal((await client.post('/api/auth/step-up', { password })).status, 200)
    assert.equal((await newKey(client)).status, 201)
    assert.equal((await newKey(other.client)).status, 403)
    assert.equal((await other.client.put(`/api/users/${id}`, { password: 'Other@456' })).status, 403)
  })

  it('is no refresh of tokens', async () => {
    const userName = uniqueName('admin')
    const boss = (await service.signIn('boss', tenant.id)).client
    await boss.post('/api/users', person(userName, { roles: ['Admin'] }))
    const { refreshToken } = await service.signIn(userName, tenant.id)
    age()
    const { body } = await service.anonymous.post('/api/auth/refresh', { refreshToken })
    assert.equal((await newKey(service.anonymous.withToken(body.accessToken))).status, 403)
  })

  it('with a wrong password is refused, recorded, and slowed down', async () => {
    const { client, id } = await newAdmin()
    age()
    const statuses: number[] = []
    for (let count = 0; count < 7; count++)
      statuses.push((await client.post('/api/auth/step-up', { password: 'Wrong@123' })).status)
    assert.deepEqual(statuses.slice(0, 5), Array(5).fill(400))
    assert.ok(statuses.includes(429), `${statuses}`)
    assert.equal((await newKey(client)).status, 403)
    const boss = (await service.signIn('boss', tenant.id)).client
    const { body } = await boss.get(`/api/audit?action=session.stepUpRefused&actorId=${id}`)
    assert.ok(body.length >= 5)
    assert.ok(!JSON.stringify(body).includes('Wrong@123'))
  })

  it('cannot be given by an API key', async () => {
    const { client } = await newAdmin()
    const { body } = await newKey(client)
    const answer = await service.anonymous.post('/api/auth/step-up', { password }, { 'x-api-key': body.key })
    assert.equal(answer.status, 403)
  })
})
