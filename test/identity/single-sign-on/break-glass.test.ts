/** The administrator who signs in with a password while single sign-on is required. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { password, person, type TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'
import { type Discovery, startDiscovery } from './discovery.ts'

const path = '/api/tenant/sso'
const mustStay = 'While single sign-on is required, its break-glass user has to stay an active administrator.'

onEitherDatabase('The break-glass user of a tenant', (database) => {
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

  /** @returns the address of another administrator, who is the break-glass user */
  async function require({ admin }: TestTenant, isRequired = true): Promise<string> {
    const made = await admin.post('/api/users', person('keeper', { roles: ['Admin'] }))
    assert.equal(made.status, 201, made.text)
    const members = { clientId: 'tenantry', clientSecret: 'a secret', isRequired }
    const input = { issuer: provider.issuer, breakGlassUserId: made.body.id, ...members }
    const set = await admin.put(path, input)
    assert.equal(set.status, 200, set.text)
    return `/api/users/${made.body.id}`
  }

  it('stays an active administrator while single sign-on is required', async () => {
    const tenant = await service.newTenant()
    const keeper = await require(tenant)
    for (const change of [{ roles: ['User'] }, { isActive: false }])
      assertError(await tenant.admin.put(keeper, change), 400, mustStay)
    assertError(await tenant.admin.delete(keeper), 400, mustStay)
    const { roles, isActive } = (await tenant.admin.get(keeper)).body
    assert.deepEqual([roles, isActive], [['Admin'], true])
    assert.ok((await service.signIn('keeper', tenant.id, password)).accessToken)
  })

  it('is changed in everything else, and is a user like others when nothing is required', async () => {
    const tenant = await service.newTenant()
    const keeper = await require(tenant)
    const changed = await tenant.admin.put(keeper, { firstName: 'Grace', roles: ['Admin', 'User'] })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await tenant.admin.delete(path)).status, 204)
    assert.equal((await tenant.admin.put(keeper, { roles: ['User'] })).status, 200)
    const other = await service.newTenant()
    assert.equal((await other.admin.delete(await require(other, false))).status, 204)
  })
})
