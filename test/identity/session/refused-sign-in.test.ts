import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { password, type TestTenant } from '../../support/service.ts'
import { countHashes } from '../hash-count.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('A refused sign-in', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  let closed: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
    closed = await service.newTenant()
    const worker = await tenant.admin.get('/api/users/by-username/worker')
    await tenant.admin.put(`/api/users/${worker.body.id}`, { isActive: false })
    await service.host.delete(`/api/tenants/${closed.id}`)
  })
  after(() => service.stop())

  const causes: [string, () => Record<string, string>][] = [
    ['a wrong password', () => ({ userName: 'boss', tenantId: tenant.id, tried: 'Wrong@123' })],
    ['an unknown user', () => ({ userName: 'nobody', tenantId: tenant.id, tried: password })],
    ['an unknown email', () => ({ userName: 'no@example.com', tenantId: tenant.id, tried: password })],
    ['a deactivated user', () => ({ userName: 'worker', tenantId: tenant.id, tried: password })],
    ['a user of a deactivated tenant', () => ({ userName: 'boss', tenantId: closed.id, tried: password })],
    [
      'an unknown user of a deactivated tenant',
      () => ({ userName: 'x', tenantId: closed.id, tried: password }),
    ],
    ['a user of another tenant', () => ({ userName: 'boss', tenantId: 'default', tried: password })],
    [
      'a name that SQL would understand',
      () => ({ userName: "' OR 1=1 --", tenantId: 'default', tried: password }),
    ],
  ]
  for (const [index, [cause, values]] of causes.entries()) {
    it(`is answered alike for ${cause}, after one password hash`, async () => {
      const { userName, tenantId = '', tried } = values()
      const headers = { 'x-tenant-id': tenantId, 'x-forwarded-for': `10.8.0.${index + 1}` }
      let answer = await service.anonymous.get('/health/live')
      const hashes = await countHashes(async () => {
        answer = await service.anonymous.post('/api/auth/login', { userName, password: tried }, headers)
      })
      assert.equal(answer.status, 401)
      assert.equal(answer.text, '{"message":"The user name or the password is wrong."}')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      assert.equal(hashes, 1)
    })
  }

  it('costs as much as a good one', async () => {
    const body = { userName: 'boss', password }
    const headers = { 'x-tenant-id': tenant.id, 'x-forwarded-for': '10.8.1.1' }
    assert.equal(await countHashes(() => service.anonymous.post('/api/auth/login', body, headers)), 1)
  })
})
