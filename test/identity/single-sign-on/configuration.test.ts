/** Setting the identity provider of a tenant. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { password, person, type TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'
import { type Discovery, startDiscovery } from './discovery.ts'

const clientId = 'tenantry'

onEitherDatabase('The provider of a tenant', (database) => {
  let service: IdentityService
  let provider: Discovery
  before(async () => {
    service = await sharedIdentityService(database)
    provider = await startDiscovery()
  })
  after(async () => {
    provider.close()
    await service.stop()
  })

  it('has its addresses before it is set, and is not overwritten by whoever has read an older version', async () => {
    const { admin, user } = await service.newTenant()
    const path = '/api/tenant/sso'
    const { body: addresses } = await admin.get(`${path}/addresses`)
    assert.equal((await admin.get(path)).status, 404)
    assertError(await user.get(`${path}/addresses`), 403, 'This requires the permission sso:read.')
    const created = await admin.put(path, { issuer: provider.issuer, clientId, clientSecret: 'a secret' })
    const { redirectUri, signOutRedirectUri, logoutUri, jwksUri } = created.body
    assert.deepEqual(addresses, { redirectUri, signOutRedirectUri, logoutUri, jwksUri })
    const tag = created.headers.get('etag') ?? ''
    assert.equal((await admin.get(path)).headers.get('etag'), tag)
    assert.equal((await admin.get(path, { 'if-none-match': tag })).status, 304)
    const put = (sessionHours: number, headers: Record<string, string>) =>
      admin.put(path, { issuer: provider.issuer, clientId, sessionHours }, headers)
    assert.equal((await put(1, { 'if-none-match': '*' })).status, 412)
    const changed = await put(2, { 'if-match': tag })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await put(3, { 'if-match': tag })).status, 412)
    assert.equal((await admin.delete(path, { 'if-match': tag })).status, 412)
    assert.equal((await admin.get(path)).body.sessionHours, 2)
    const newest = changed.headers.get('etag') ?? ''
    assert.equal((await admin.delete(path, { 'if-match': newest })).status, 204)
    assert.equal((await put(4, { 'if-match': newest })).status, 412)
  })

  it('has a break-glass user of its own, also on the host, whose administrators reach every user', async () => {
    const path = '/api/tenant/sso'
    const { admin } = await service.newTenant()
    const other = await service.newTenant()
    const { body: own } = await admin.get('/api/auth/me')
    const { body: foreign } = await other.admin.get('/api/auth/me')
    const put = (client: typeof admin, breakGlassUserId: string, isRequired: boolean) =>
      client.put(path, { issuer: provider.issuer, clientId, clientSecret: 's', isRequired, breakGlassUserId })
    for (const client of [admin, service.host])
      for (const isRequired of [true, false]) {
        const refused = await put(client, foreign.id, isRequired)
        assertError(refused, 400, 'breakGlassUserId: must be a user of the tenant')
        assert.equal((await client.get(path)).status, 404)
      }
    const { body: stored } = await put(admin, own.id.toUpperCase(), false)
    assert.equal(stored.breakGlassUserId, own.id)
  })

  /** @returns the address of another administrator, who is the break-glass user */
  async function keeperOf({ admin }: TestTenant, isRequired: boolean): Promise<string> {
    const made = await admin.post('/api/users', person('keeper', { roles: ['Admin'] }))
    assert.equal(made.status, 201, made.text)
    const members = { clientId, clientSecret: 'a secret', isRequired, breakGlassUserId: made.body.id }
    const set = await admin.put('/api/tenant/sso', { issuer: provider.issuer, ...members })
    assert.equal(set.status, 200, set.text)
    return `/api/users/${made.body.id}`
  }

  it('has a break-glass user that stays an active administrator while single sign-on is required', async () => {
    const mustStay =
      'While single sign-on is required, its break-glass user has to stay an active administrator.'
    const tenant = await service.newTenant()
    const keeper = await keeperOf(tenant, true)
    for (const change of [{ roles: ['User'] }, { isActive: false }])
      assertError(await tenant.admin.put(keeper, change), 400, mustStay)
    assertError(await tenant.admin.delete(keeper), 400, mustStay)
    const { roles, isActive } = (await tenant.admin.get(keeper)).body
    assert.deepEqual([roles, isActive], [['Admin'], true])
    assert.ok((await service.signIn('keeper', tenant.id, password)).accessToken)
    const changed = await tenant.admin.put(keeper, { firstName: 'Grace', roles: ['Admin', 'User'] })
    assert.equal(changed.status, 200, changed.text)
  })

  it('has a break-glass user that is like others while single sign-on is not required', async () => {
    const tenant = await service.newTenant()
    const keeper = await keeperOf(tenant, true)
    assert.equal((await tenant.admin.delete('/api/tenant/sso')).status, 204)
    assert.equal((await tenant.admin.put(keeper, { roles: ['User'] })).status, 200)
    const other = await service.newTenant()
    assert.equal((await other.admin.delete(await keeperOf(other, false))).status, 204)
  })

  it('tells a break-glass user that is missing from one that is no administrator', async () => {
    const { admin, user } = await service.newTenant()
    const { body: worker } = await user.get('/api/auth/me')
    const common = { issuer: provider.issuer, clientId, clientSecret: 's', isRequired: true }
    for (const [breakGlassUserId, code] of [
      [null, 'required'],
      [worker.id, 'notPossible'],
    ] as const) {
      const input = { ...common, ...(breakGlassUserId !== null && { breakGlassUserId }) }
      const refused = await admin.put('/api/tenant/sso', input, { accept: 'application/problem+json' })
      assert.equal(refused.status, 400)
      assert.equal(refused.body.errors[0].code, code)
    }
  })

  it('maps groups of any name', async () => {
    const { admin } = await service.newTenant()
    const groups = '{"__proto__":["Admin"],"constructor":["User"]}'
    const common = JSON.stringify({ issuer: provider.issuer, clientId, clientSecret: 'a secret' })
    const made = await admin.put('/api/tenant/sso', `${common.slice(0, -1)},"groupRoles":${groups}}`)
    assert.equal(made.status, 200, made.text)
    assert.ok((await admin.get('/api/tenant/sso')).text.includes(`"groupRoles":${groups}`))
  })

  it('is changed by signed-in administrators alone, whatever a role or an API key permits', async () => {
    const path = '/api/tenant/sso'
    const { id, admin } = await service.newTenant()
    const role = { name: 'Sign-in', permissions: ['sso:read', 'sso:write'] }
    assert.equal((await admin.post('/api/roles', role)).status, 201)
    const made = await admin.post('/api/users', person('keeper', { roles: [role.name] }))
    assert.equal(made.status, 201, made.text)
    const { client: keeper } = await service.signIn('keeper', id, password)
    const { body } = await admin.post('/api/api-keys', { name: 'Setup', permissions: role.permissions })
    const key = service.anonymous.withToken(body.key).with({ 'x-tenant-id': id })
    const input = { issuer: provider.issuer, clientId, clientSecret: 'a secret' }
    assert.equal((await admin.put(path, input)).status, 200)
    assert.equal((await admin.post(`${path}/domains`, { domain: 'acme.example' })).status, 201)
    for (const client of [keeper, key]) {
      assert.equal((await client.get(path)).status, 200)
      for (const refused of [
        await client.put(path, input),
        await client.post(`${path}/domains`, { domain: 'other.example' }),
        await client.post(`${path}/domains/acme.example/verify`),
        await client.delete(`${path}/domains/acme.example`),
        await client.post(`${path}/client-keys`, { algorithm: 'ES256' }),
        await client.post(`${path}/client-keys/00000000-0000-7000-8000-000000000000/activate`),
        await client.delete(path),
      ])
        assertError(refused, 403, 'Only a signed-in administrator may change single sign-on.')
    }
  })
})
