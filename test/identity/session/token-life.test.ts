import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Route } from '../../../src/core/feature/route.ts'
import { isPermission } from '../../../src/core/permission.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { type TestTenant, uniqueName } from '../../support/service.ts'
import { baseDomain, type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('A good access token', (database) => {
  const [subdomain, neighbour] = [uniqueName('acme'), uniqueName('other')]
  let service: IdentityService
  let clock: TestClock
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    tenant = await service.newTenant({ subdomain })
  })
  after(() => service.stop())

  it('works for its tenant, however that is named', async () => {
    for (const headers of [
      { 'x-tenant-id': tenant.id.toUpperCase() },
      { 'x-forwarded-host': `${subdomain}.${baseDomain}` },
    ]) {
      assert.equal((await tenant.user.get('/api/auth/me', headers)).status, 200, JSON.stringify(headers))
    }
    assert.equal((await tenant.user.get(`/api/auth/me?tenant=${tenant.id}`)).status, 200)
  })

  it('gets 403 for any other tenant, whether it exists or not', async () => {
    const other = await service.newTenant({ subdomain: neighbour })
    const ways: [string, Record<string, string>][] = [
      ['', { 'x-tenant-id': other.id }],
      ['', { 'x-tenant-id': 'nobody' }],
      ['', { 'x-tenant-id': 'default' }],
      [`?tenant=${other.id}`, {}],
      ['?tenant=nobody', {}],
      ['', { 'x-forwarded-host': `${neighbour}.${baseDomain}` }],
      ['', { 'x-forwarded-host': `nobody.${baseDomain}` }],
    ]
    for (const [query, headers] of ways) {
      const answer = await tenant.admin.get(`/api/users${query}`, headers)
      assert.equal(answer.status, 403, JSON.stringify({ query, headers }))
      assert.deepEqual(answer.body, { message: 'The token does not belong to this tenant.' })
    }
    assert.equal((await service.host.get('/api/users', { 'x-tenant-id': other.id })).status, 403)
  })

  it('of a user without the role Admin gets 403 wherever that role is needed', async () => {
    const routes = service.service.features.flatMap((feature) => feature.routes ?? [])
    const { permissions } = (await service.service.operator()).shared
    const ofUser = permissions.ofRole('User', tenant.id)
    const restricted = routes.filter(({ access }) => isPermission(access) && !ofUser.has(access))
    assert.ok(restricted.length >= 12, `${restricted.length} routes`)
    for (const route of restricted) {
      // Nothing of the request is valid but the token: 403 comes before 400 and 404.
      const answer = await tenant.user.send(route.method, anyAddressOf(route), bodyFor(route))
      assert.equal(answer.status, 403, `${route.method} ${route.path}`)
      const missing = await service.anonymous.send(route.method, anyAddressOf(route), bodyFor(route))
      assert.equal(missing.status, 401, `${route.method} ${route.path}`)
      assert.equal(missing.headers.get('www-authenticate'), 'Bearer')
    }
  })

  it('works until its fifteen minutes are over, remembered or not', async () => {
    const remembered = await service.signIn('admin')
    const fresh = await service.signIn('admin')
    assert.equal((await remembered.client.get('/api/auth/me')).status, 200)
    clock.advance({ minutes: 14, seconds: 50 })
    assert.equal((await remembered.client.get('/api/auth/me')).status, 200)
    clock.advance({ seconds: 11 })
    for (const { client } of [remembered, fresh]) {
      const answer = await client.get('/api/auth/me')
      assert.equal(answer.status, 401)
      const challenge = 'Bearer error="invalid_token", error_description="The token has expired."'
      assert.equal(answer.headers.get('www-authenticate'), challenge)
      assert.deepEqual(answer.body, { message: 'The token has expired.' })
      assert.deepEqual((await client.get('/api/auth/me')).body, answer.body)
    }
    clock.advance({ days: 1 })
    assert.deepEqual((await fresh.client.get('/api/auth/me')).body, { message: 'The token has expired.' })
  })
})

function anyAddressOf({ path }: Route): string {
  return path.replaceAll(/:\w+/g, 'none')
}

function bodyFor({ method }: Route): unknown {
  return method === 'GET' || method === 'DELETE' ? undefined : {}
}
