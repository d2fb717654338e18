/** The tenant of a request: header, then query, then host; with a token only its own. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { startService, type TestService } from '../../../support/service.ts'
import { type Landmark, listProducts, newLandmark, tenantOf } from './tenant-marker.ts'

const noTenant = 'There is no such tenant.'
const notYours = 'The token does not belong to this tenant.'

onEitherDatabase('The tenant of a request', (database) => {
  let service: TestService
  let one: Landmark
  let two: Landmark
  let three: Landmark
  let hostToken: string
  before(async () => {
    service = await startService(database, { BASE_DOMAIN: 'example.org' })
    one = await newLandmark(service)
    two = await newLandmark(service)
    three = await newLandmark(service, { subdomain: 'three' })
    hostToken = (await service.signIn('admin')).accessToken
  })
  after(() => service.stop())

  const list = (headers: Record<string, string>, query?: string) => listProducts(service, headers, query)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('is named by the header before the query, and by the query before the host', async () => {
    const host = 'three.example.org'
    assert.equal(tenantOf(await list({ host, 'x-tenant-id': one.id }, `?tenant=${two.id}`)), one.id)
    assert.equal(tenantOf(await list({ host }, `?tenant=${two.id}`)), two.id)
    assert.equal(tenantOf(await list({ host })), three.id)
    assert.equal(tenantOf(await list({})), 'default')
  })

  it('is named in any case of letters', async () => {
    assert.equal(tenantOf(await list({ 'x-tenant-id': one.id.toUpperCase() })), one.id)
    assert.equal(tenantOf(await list({}, `?tenant=${two.id.toUpperCase()}`)), two.id)
    assert.equal(tenantOf(await list({ host: 'THREE.Example.ORG' })), three.id)
    const own = { ...bearer(one.accessToken), 'x-tenant-id': one.id.toUpperCase() }
    assert.equal(tenantOf(await list(own)), one.id)
  })

  it('is not the host tenant for a header or a query that is empty: 400', async () => {
    const own = bearer(one.accessToken)
    for (const empty of ['', ' ']) {
      const inHeader = { 'x-tenant-id': empty }
      for (const headers of [inHeader, { ...inHeader, ...own }, { ...inHeader, host: 'three.example.org' }])
        assertError(await list(headers, `?tenant=${two.id}`), 400, 'X-Tenant-Id: must name a tenant')
      for (const headers of [{}, own, { host: 'three.example.org' }])
        assertError(await list(headers, `?tenant=${empty}`), 400, 'tenant: must name a tenant')
    }
    assertError(await list({ 'x-tenant-id': '', ...bearer('none') }), 401)
  })

  it('is that of the token when nothing else names one, and else the host tenant', async () => {
    assert.equal(tenantOf(await list(bearer(one.accessToken))), one.id)
    assert.equal(tenantOf(await list(bearer(hostToken))), 'default')
    assert.equal(tenantOf(await list({ 'x-tenant-id': 'default' })), 'default')
  })

  it('has to be that of the token, however it is named', async () => {
    const own = bearer(one.accessToken)
    assert.equal(tenantOf(await list({ ...own, 'x-tenant-id': one.id })), one.id)
    assert.equal(tenantOf(await list(own, `?tenant=${one.id}`)), one.id)
    assert.equal(tenantOf(await list({ ...bearer(three.accessToken), host: 'three.example.org' })), three.id)
    assertError(await list({ ...own, 'x-tenant-id': two.id }), 403, notYours)
    assertError(await list(own, `?tenant=${two.id}`), 403, notYours)
    assertError(await list({ ...own, host: 'three.example.org' }), 403, notYours)
    assertError(await list({ ...own, 'x-tenant-id': 'default' }), 403, notYours)
    assertError(await list({ ...own, 'x-tenant-id': two.id }, `?tenant=${one.id}`), 403, notYours)
  })

  it('is not changed even for an administrator of the host tenant', async () => {
    assertError(await list({ ...bearer(hostToken), 'x-tenant-id': one.id }), 403, notYours)
    assertError(await list(bearer(hostToken), `?tenant=${one.id}`), 403, notYours)
  })

  for (const unknown of [
    'nobody',
    'x'.repeat(64),
    'x'.repeat(10_000),
    "' or 1=1",
    '%',
    '_',
    '../default',
    'default ',
  ]) {
    it(`does not exist as "${unknown.slice(0, 20)}": 404, and 403 with a token`, async () => {
      const inHeader = { 'x-tenant-id': unknown.trim() === 'default' ? `${unknown}.` : unknown }
      const inQuery = `?tenant=${encodeURIComponent(unknown)}`
      assertError(await list(inHeader), 404, noTenant)
      assertError(await list({}, inQuery), 404, noTenant)
      assertError(await list({ ...inHeader, ...bearer(one.accessToken) }), 403, notYours)
      assertError(await list(bearer(one.accessToken), inQuery), 403, notYours)
      assertError(await list(inHeader, `?tenant=${one.id}`), 404, noTenant)
    })
  }

  for (const query of [
    '?tenant=%00',
    '?tenant=a%00b',
    '?tenant=%ff',
    '?tenant=%F0%9F%99%82',
    '?tenant=a&tenant=b',
  ]) {
    it(`does not exist as ${query}, and nothing breaks by it`, async () => {
      assertError(await list({}, query), 404, noTenant)
      assertError(await list(bearer(one.accessToken), query), 403, notYours)
    })
  }

  it('does not serve anybody once it is deactivated, until it is active again', async () => {
    const closed = await newLandmark(service, { subdomain: 'closed' })
    const path = `/api/tenants/${closed.id}`
    assert.equal((await service.host.delete(path)).status, 204)
    assertError(await list({ 'x-tenant-id': closed.id }), 404, noTenant)
    assertError(await list({}, `?tenant=${closed.id}`), 404, noTenant)
    assertError(await list({ host: 'closed.example.org' }), 404, noTenant)
    assertError(await list(bearer(closed.accessToken)), 403, 'This tenant is not active.')
    assertError(await list({ ...bearer(one.accessToken), 'x-tenant-id': closed.id }), 403, notYours)
    await service.host.put(path, { isActive: true })
    assert.equal(tenantOf(await list({ 'x-tenant-id': closed.id })), closed.id)
    assertError(await list(bearer(closed.accessToken)), 401, 'The session has ended.')
    const { accessToken } = await service.signIn('worker', closed.id)
    assert.equal(tenantOf(await list(bearer(accessToken))), closed.id)
  })

  it('is found under a new subdomain at once, and no longer under the old one', async () => {
    const moving = await newLandmark(service, { subdomain: 'Before' })
    assert.equal(tenantOf(await list({ host: 'before.example.org' })), moving.id)
    assertError(await list({ host: 'after.example.org' }), 404, noTenant)
    await service.host.put(`/api/tenants/${moving.id}`, { subdomain: 'AFTER' })
    assert.equal(tenantOf(await list({ host: 'after.example.org' })), moving.id)
    assertError(await list({ host: 'before.example.org' }), 404, noTenant)
    await service.host.put(`/api/tenants/${moving.id}`, { subdomain: null })
    assertError(await list({ host: 'after.example.org' }), 404, noTenant)
  })

  it('is found at once when it is new, though it was asked for before it was there', async () => {
    assertError(await list({ 'x-tenant-id': 'early' }), 404, noTenant)
    assertError(await list({ host: 'early.example.org' }), 404, noTenant)
    await service.host.post('/api/tenants', { id: 'Early', name: 'Early', subdomain: 'early' })
    assert.equal((await list({ 'x-tenant-id': 'early' })).status, 200)
    assert.equal((await list({ host: 'early.example.org' })).status, 200)
  })
})
