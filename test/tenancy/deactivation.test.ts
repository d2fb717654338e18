import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { inCatalogue } from '../../src/core/transaction.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'

onEitherDatabase('A deactivated tenant', (database) => {
  let service: TestService
  let tenant: TestTenant
  let path: string
  before(async () => {
    service = await startService(database, { BASE_DOMAIN: 'example.org' })
    tenant = await service.newTenant({ subdomain: 'acme' })
    path = `/api/tenants/${tenant.id}`
    await tenant.user.post('/api/products', { name: 'Desk', price: 1 })
    const deleted = await service.host.delete(path)
    assert.equal(deleted.status, 204)
    assert.equal(deleted.text, '')
  })
  after(() => service.stop())

  it('is still there, and says so', async () => {
    assert.equal((await service.host.get(path)).body.isActive, false)
    assert.equal((await service.host.delete(path)).status, 204)
  })

  it('gives 403 to its tokens, wherever they are used', async () => {
    for (const client of [tenant.admin, tenant.user]) {
      for (const address of ['/api/auth/me', '/api/products', '/api/products/active', path, '/api/users']) {
        const answer = await client.get(address)
        assert.equal(answer.status, 403, address)
        assert.deepEqual(answer.body, { message: 'This tenant is not active.' })
      }
    }
    assert.equal((await tenant.user.post('/api/auth/logout')).status, 403)
    assert.equal((await tenant.user.post('/api/products', {})).status, 403)
  })

  it('hides its public data', async () => {
    const ways: [string, Record<string, string>][] = [
      ['', { 'x-tenant-id': tenant.id }],
      [`?tenant=${tenant.id}`, {}],
      ['', { 'x-forwarded-host': 'acme.example.org' }],
    ]
    const absent = await service.anonymous.get('/api/products', { 'x-tenant-id': 'nobody' })
    for (const [query, headers] of ways) {
      const answer = await service.anonymous.get(`/api/products${query}`, headers)
      assert.equal(answer.status, 404)
      assert.equal(answer.text, absent.text)
    }
  })

  it('lets nobody sign in', () => assert.rejects(service.signIn('boss', tenant.id), /401/))

  it('is all there again when it is reactivated', async () => {
    const answer = await service.host.put(path, { isActive: true })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.isActive, true)
    const { client } = await service.signIn('worker', tenant.id)
    const { body } = await client.get('/api/products')
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      ['Desk'],
    )
    assert.equal((await service.anonymous.get('/api/products', { 'x-tenant-id': tenant.id })).status, 200)
  })

  it('has lost its sessions when it is reactivated, and those of other tenants go on', async () => {
    const [lost, kept] = [await service.newTenant(), await service.newTenant()]
    const session = await service.signIn('worker', lost.id)
    const address = `/api/tenants/${lost.id}`
    assert.equal((await service.host.put(address, { isActive: false })).status, 200)
    assert.equal((await refresh(session.refreshToken)).status, 401)
    assert.equal((await service.host.put(address, { isActive: true })).status, 200)
    for (const client of [lost.admin, lost.user, session.client]) {
      const answer = await client.get('/api/auth/me')
      assert.deepEqual([answer.status, answer.body], [401, { message: 'The session has ended.' }])
    }
    assert.equal((await refresh(session.refreshToken)).status, 401)
    assert.equal((await kept.user.get('/api/auth/me')).status, 200)
  })

  it('ends what began before its deactivation and was done after it', async () => {
    const { id } = await service.newTenant()
    const address = `/api/tenants/${id}`
    const { client, refreshToken } = await service.signIn('worker', id)
    await service.host.put(address, { isActive: false })
    // As a sign-in leaves it that has judged the tenant before.
    const operator = await service.service.operator()
    await inCatalogue(operator, ({ installationData: catalogue }) =>
      catalogue.kysely.updateTable('session').set({ revoked_at: null }).where('tenant_id', '=', id).execute(),
    )
    await service.host.put(address, { isActive: true })
    assert.equal((await client.get('/api/auth/me')).status, 401)
    assert.equal((await refresh(refreshToken)).status, 401)
  })

  it('can be made by an update as well', async () => {
    const other = await service.newTenant()
    const answer = await service.host.put(`/api/tenants/${other.id}`, { isActive: false, name: 'Closed' })
    assert.deepEqual([answer.body.isActive, answer.body.name], [false, 'Closed'])
    assert.equal((await other.user.get('/api/auth/me')).status, 403)
  })

  const refresh = (refreshToken: string) => service.anonymous.post('/api/auth/refresh', { refreshToken })

  it('is never the host', async () => {
    const answers = [
      await service.host.delete('/api/tenants/default'),
      await service.host.delete('/api/tenants/DEFAULT'),
      await service.host.put('/api/tenants/default', { isActive: false }),
      await service.host.put('/api/tenants/Default', { isActive: false, name: 'Closed' }),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, { message: 'The host tenant cannot be deactivated.' })
    }
    const { body } = await service.host.get('/api/tenants/default')
    assert.deepEqual([body.isActive, body.name], [true, 'Default'])
  })
})
