/** When the host of a request names a tenant. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { rawRequest, sendRaw } from '../../../support/http/raw-request.ts'
import { startService, type TestService } from '../../../support/service.ts'
import { type Landmark, listProducts, newLandmark, tenantOf } from './tenant-marker.ts'

const labels = ['acme', '127', 'a-1', 'www', 'x']

onEitherDatabase('The host of a request', (database) => {
  let service: TestService
  let tenants: Map<string, Landmark>
  before(async () => {
    service = await startService(database)
    tenants = new Map()
    for (const label of labels) tenants.set(label, await newLandmark(service, { subdomain: label }))
  })
  after(() => service.stop())

  for (const [host, label] of Object.entries({
    'acme.localhost': 'acme',
    'acme.localhost:3000': 'acme',
    'ACME.LocalHost': 'acme',
    'a-1.localhost': 'a-1',
    'acme.example.com': 'acme',
    'acme.example.com:8443': 'acme',
    'acme.eu.example.com': 'acme',
    'www.example.com': 'www',
    '127.example.com': '127',
    'x.co.uk': 'x',
    'acme.localhost.': 'acme',
    'acme.example.com.': 'acme',
    'acme.example.com.:8443': 'acme',
  })) {
    it(`${host} names the tenant of the label "${label}"`, async () => {
      assert.equal(tenantOf(await listProducts(service, { host })), tenants.get(label)?.id)
    })
  }

  for (const host of [
    'localhost',
    'localhost:3000',
    'acme',
    'acme.com',
    'acme:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '127.1.2.3',
    '[::1]',
    '[::1]:3000',
    '[::ffff:127.0.0.1]',
    'unknown.localhost',
    'unknown.example.com',
    'acmes.example.com',
    'eu.acme.example.com',
    'ac%6de.example.com',
    '.example.com',
    '..',
    `${'a'.repeat(300)}.example.com`,
  ]) {
    it(`${host.slice(0, 30)} names none`, async () => {
      assert.equal(tenantOf(await listProducts(service, { host })), 'default')
    })
  }

  it('is the one that the proxy was asked for, when a proxy is trusted', async () => {
    const headers = { host: 'www.example.com', 'x-forwarded-host': 'acme.example.com' }
    assert.equal(tenantOf(await listProducts(service, headers)), tenants.get('acme')?.id)
  })

  it('has to be that of the token', async () => {
    const headers = { authorization: `Bearer ${tenants.get('www')?.accessToken}` }
    assertError(await listProducts(service, { ...headers, host: 'acme.example.com' }), 403)
    const unknown = await listProducts(service, { ...headers, host: 'unknown.example.com' })
    assert.equal(tenantOf(unknown), tenants.get('www')?.id)
  })
})

onEitherDatabase('The host of a request under BASE_DOMAIN', (database) => {
  let service: TestService
  let acme: Landmark
  before(async () => {
    service = await startService(database, { BASE_DOMAIN: 'Apps.Example.com', TRUST_PROXY: 'false' })
    acme = await newLandmark(service, { subdomain: 'acme' })
  })
  after(() => service.stop())

  for (const host of [
    'acme.apps.example.com',
    'ACME.APPS.EXAMPLE.COM:443',
    'acme.eu.apps.example.com',
    'acme.apps.example.com.',
    'ACME.apps.example.com.:443',
  ]) {
    it(`${host} names the tenant of its first label`, async () => {
      assert.equal(tenantOf(await listProducts(service, { host })), acme.id)
    })
  }

  for (const host of ['unknown.apps.example.com', 'eu.acme.apps.example.com', '.apps.example.com']) {
    it(`${host} names a tenant that does not exist`, async () => {
      assertError(await listProducts(service, { host }), 404, 'There is no such tenant.')
      assertError(await listProducts(service, { host, authorization: `Bearer ${acme.accessToken}` }), 403)
    })
  }

  for (const host of [
    'apps.example.com',
    'acme.example.com',
    'acme.localhost',
    'acme.apps.example.com.evil.org',
    'acmeapps.example.com',
    'localhost',
    '10.0.0.1',
    '[::1]:3000',
  ]) {
    it(`${host} names none`, async () => {
      assert.equal(tenantOf(await listProducts(service, { host })), 'default')
    })
  }

  it('is that of a target in absolute form, whatever Host says', async () => {
    const target = 'http://acme.apps.example.com.:8080/api/products?limit=5'
    const lines = ['Host: localhost', `Authorization: Bearer ${acme.accessToken}`]
    const answer = await sendRaw(service.url, rawRequest(`GET ${target}`, lines))
    assert.equal(tenantOf(answer), acme.id)
    const elsewhere = target.replace('acme.', 'unknown.')
    assertError(await sendRaw(service.url, rawRequest(`GET ${elsewhere}`, lines)), 403)
  })

  it('is its own when no proxy is trusted', async () => {
    const headers = { host: 'localhost', 'x-forwarded-host': 'acme.apps.example.com' }
    assert.equal(tenantOf(await listProducts(service, headers)), 'default')
  })
})

describe('The host of BASE_URL', () => {
  for (const [way, settings] of Object.entries({
    'under BASE_DOMAIN': { BASE_DOMAIN: 'example.com' },
    'without BASE_DOMAIN': {},
  })) {
    it(`names none, ${way}, whatever subdomain a tenant takes`, async () => {
      const service = await startService('sqlite', { BASE_URL: 'https://API.example.com', ...settings })
      assert.equal(tenantOf(await listProducts(service, { host: 'api.example.com' })), 'default')
      const taker = await newLandmark(service, { subdomain: 'api' })
      const ours = await listProducts(service, { host: 'api.example.com:443' })
      assert.equal(tenantOf(ours), 'default')
      assert.equal(tenantOf(await listProducts(service, { host: 'api.example.com.' })), 'default')
      assert.equal(tenantOf(await listProducts(service, { host: 'api.eu.example.com' })), taker.id)
      await service.stop()
    })
  }
})
