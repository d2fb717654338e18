import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('What one instance ends is over on the other within a second', (database) => {
  let service: IdentityService
  let other: Instance
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    other = await startOther(service, { clock: service.clock.now })
    tenant = await service.newTenant()
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  interface Victim {
    /** Signed in at the first instance, calls the other. */
    there: Client
    here: Client
    path: string
  }

  const ends: [string, (victim: Victim) => Promise<Answer>][] = [
    ['a sign-out', ({ here }) => here.post('/api/auth/logout')],
    ['the deactivation of the user', ({ path }) => tenant.admin.put(path, { isActive: false })],
    ['the deletion of the user', ({ path }) => tenant.admin.delete(path)],
    ['a new password', ({ path }) => tenant.admin.put(path, { password: 'Other@456' })],
    ['other roles', ({ path }) => tenant.admin.put(path, { roles: ['Admin'] })],
  ]
  for (const [what, end] of ends) {
    it(`after ${what}`, async () => {
      const victim = await signInNewUser()
      assert.equal((await victim.there.get('/api/auth/me')).status, 200)
      assert.ok((await end(victim)).status < 300)
      await eventually('there', soonMs, async () => (await victim.there.get('/api/auth/me')).status === 401)
      await eventually('here', soonMs, async () => (await victim.here.get('/api/auth/me')).status === 401)
    })
  }

  it('but not the session that changes its own password', async () => {
    const userName = await newUser()
    const [changing, forgotten] = [
      await service.signIn(userName, tenant.id),
      await service.signIn(userName, tenant.id),
    ]
    const body = { currentPassword: 'Admin@123', newPassword: 'Other@456' }
    assert.equal((await changing.client.put('/api/users/me/password', body)).status, 200)
    const there = other.anonymous.withToken(forgotten.accessToken)
    await eventually('there', soonMs, async () => (await there.get('/api/auth/me')).status === 401)
    assert.equal((await other.anonymous.withToken(changing.accessToken).get('/api/auth/me')).status, 200)
  })

  it('when a tenant is deactivated, and stays over when it is reactivated', async () => {
    const { id } = await service.newTenant()
    const { accessToken } = await service.signIn('worker', id)
    const there = other.anonymous.withToken(accessToken)
    const statusIs = (status: number) => async () => (await there.get('/api/auth/me')).status === status
    assert.equal((await other.anonymous.get('/api/products', { 'x-tenant-id': id })).status, 200)
    assert.ok(await statusIs(200)())
    await service.host.delete(`/api/tenants/${id}`)
    await eventually('deactivation', soonMs, statusIs(403))
    assert.equal((await other.anonymous.get('/api/products', { 'x-tenant-id': id })).status, 404)
    await service.host.put(`/api/tenants/${id}`, { isActive: true })
    await eventually('reactivation', soonMs, statusIs(401))
    assert.equal((await other.anonymous.get('/api/products', { 'x-tenant-id': id })).status, 200)
  })

  it('when a tenant is created whose id was asked for before', async () => {
    const id = uniqueName('late')
    const list = () => other.anonymous.get('/api/products', { 'x-tenant-id': id })
    assert.equal((await list()).status, 404)
    await service.host.post('/api/tenants', { id, name: id })
    await eventually('the new tenant', soonMs, async () => (await list()).status === 200)
  })

  async function newUser(): Promise<string> {
    const userName = uniqueName('user')
    assert.equal((await tenant.admin.post('/api/users', person(userName))).status, 201)
    return userName
  }

  async function signInNewUser(): Promise<Victim> {
    const { client, accessToken } = await service.signIn(await newUser(), tenant.id)
    const { body } = await client.get('/api/auth/me')
    return { here: client, there: other.anonymous.withToken(accessToken), path: `/api/users/${body.id}` }
  }
})
