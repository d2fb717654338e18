import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { password, type TestTenant, uniqueName } from '../../support/service.ts'
import { baseDomain, type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('Signing in', (database) => {
  const subdomain = uniqueName('acme')
  const host = `${subdomain}.${baseDomain}`
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant({ subdomain })
  })
  after(() => service.stop())

  it('gives two tokens and the user', async () => {
    const began = service.clock.now().getTime()
    const answer = await logIn('boss', { 'x-tenant-id': tenant.id })
    assert.equal(answer.status, 200)
    const { accessToken, refreshToken, expiresAt, user } = answer.body
    assert.deepEqual(answer.body, {
      accessToken,
      refreshToken,
      tokenType: 'Bearer',
      expiresIn: 900,
      expiresAt,
      user: {
        id: user.id,
        userName: 'boss',
        email: 'boss@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        roles: ['Admin'],
        tenantId: tenant.id,
      },
    })
    assert.equal(expiresAt, new Date(expiresAt).toISOString())
    assert.ok(Math.abs(Date.parse(expiresAt) - began - 900_000) < 5000, expiresAt)
    assert.ok(Buffer.from(refreshToken, 'base64url').length >= 32, 'has fewer than 256 bits')
  })

  it('shows the same user at /api/auth/me', async () => {
    const { body } = await logIn('worker', { 'x-tenant-id': tenant.id })
    const me = await service.anonymous.withToken(body.accessToken).get('/api/auth/me')
    assert.equal(me.status, 200)
    const { permissions, emailVerified, ...shown } = me.body
    assert.deepEqual(shown, body.user)
    assert.equal(emailVerified, false)
    assert.ok(permissions.includes('order:read'))
  })

  for (const login of ['BOSS', 'Boss', 'boss@example.com', 'BOSS@Example.COM']) {
    it(`takes ${login} for boss`, async () => {
      const { body } = await logIn(login, { 'x-tenant-id': tenant.id })
      assert.equal(body.user.userName, 'boss')
    })
  }

  it('is to the host tenant when no tenant is named', async () => {
    const { body } = await logIn('admin')
    assert.equal(body.user.tenantId, 'default')
    assert.equal((await logIn('boss')).status, 401)
  })

  it('is to the tenant of the header, of the query or of the host', async () => {
    const ways: [string, Record<string, string>][] = [
      ['', { 'x-tenant-id': tenant.id.toUpperCase() }],
      [`?tenant=${tenant.id}`, {}],
      ['', { 'x-forwarded-host': host }],
      ['', { 'x-forwarded-host': host.toUpperCase() }],
    ]
    for (const [query, headers] of ways) {
      const { body } = await logIn('boss', headers, query)
      assert.equal(body.user?.tenantId, tenant.id, JSON.stringify({ query, headers, body }))
    }
  })

  it('lets the header win over the query, and the query over the host', async () => {
    const byHeader = await logIn('admin', { 'x-tenant-id': 'default' }, `?tenant=${tenant.id}`)
    assert.equal(byHeader.body.user.tenantId, 'default')
    const byQuery = await logIn('admin', { 'x-forwarded-host': host }, '?tenant=default')
    assert.equal(byQuery.body.user.tenantId, 'default')
  })

  it('answers 404 for a tenant that does not exist', async () => {
    const headers: Record<string, string>[] = [
      { 'x-tenant-id': 'nobody' },
      { 'x-tenant-id': 'a'.repeat(65) },
      { 'x-forwarded-host': `nobody.${baseDomain}` },
    ]
    for (const each of headers) assert.equal((await logIn('admin', each)).status, 404, JSON.stringify(each))
    for (const query of ['?tenant=nobody', '?tenant=a%00b', '?tenant=a&tenant=b', '?tenant=%F0%9F%98%80']) {
      assert.equal((await logIn('admin', {}, query)).status, 404, query)
    }
  })

  it('answers 400 for what cannot be a sign-in', async () => {
    const bodies = [{}, { userName: 'admin' }, { password }, { userName: 7, password }, [], 'admin']
    for (const body of [...bodies, { userName: '', password }, { userName: 'a\0b', password }]) {
      const answer = await service.anonymous.post('/api/auth/login', JSON.stringify(body), anyAddress())
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(Object.keys(answer.body), ['message'])
    }
  })

  it('keeps no refresh token, only its hash', async () => {
    const { body } = await logIn('admin')
    const { executor } = (await service.service.operator()).installationData
    const { rows } = await executor.run('SELECT hash FROM refresh_token', [], false)
    assert.ok(rows.length > 0)
    for (const { hash } of rows) {
      assert.match(String(hash), /^[0-9a-f]{64}$/)
      assert.notEqual(hash, body.refreshToken)
    }
  })

  function logIn(userName: string, headers: Record<string, string> = {}, query = '') {
    const body = { userName, password }
    return service.anonymous.post(`/api/auth/login${query}`, body, { ...anyAddress(), ...headers })
  }
})

let addresses = 0

/** The strict policy counts each on its own. */
function anyAddress(): Record<string, string> {
  return { 'x-forwarded-for': `10.9.${Math.floor(addresses / 250)}.${1 + (addresses++ % 250)}` }
}
