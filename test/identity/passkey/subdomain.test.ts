/** Passkeys on the subdomains of tenants. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { relyingParty } from '../../../src/identity/passkey/relying-party.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { uniqueName } from '../../support/service.ts'
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts'
import {
  androidOrigin,
  baseDomain,
  baseUrl,
  type IdentityService,
  sharedIdentityService,
} from '../identity-service.ts'

const base = '/api/auth/passkeys'

onEitherDatabase('A passkey with BASE_DOMAIN', (database) => {
  let service: IdentityService
  before(async () => {
    service = await sharedIdentityService(database)
  })
  after(() => service.stop())

  it('is made and used on the subdomain of its tenant, and on that of no other', async () => {
    const [name, neighbour] = [uniqueName('one'), uniqueName('two')]
    const [one, two] = [
      await service.newTenant({ subdomain: name }),
      await service.newTenant({ subdomain: neighbour }),
    ]
    const own = `https://${name}.${baseDomain}`
    const device = new SoftwareAuthenticator(own)
    const create = async (origin: string) => {
      const options = await one.user.post(`${base}/creation-options`)
      assert.equal(options.body.rp.id, baseDomain)
      return one.user.post(base, { name: 'Mine', response: device.create(options.body, { origin }) })
    }
    const foreign = [
      `https://${neighbour}.${baseDomain}`,
      `${own}:8443`,
      `http://${name}.${baseDomain}`,
      `https://x.${name}.${baseDomain}`,
      `https://${baseDomain}:8443`,
      `${own}.evil.example`,
      androidOrigin.replace('a', 'b'),
      androidOrigin.replace(/a$/, 'b'),
    ]
    for (const origin of foreign) assert.equal((await create(origin)).status, 400, origin)
    const added = await create(own)
    assert.equal(added.status, 201, added.text)
    const use = async (origin: string, tenantId = one.id) => {
      const headers = { ...fromAnyAddress(), 'x-tenant-id': tenantId }
      const options = await service.anonymous.post(`${base}/request-options`, {}, headers)
      const response = device.get(options.body, { origin })
      return service.anonymous.post(`${base}/sign-in`, { response }, headers)
    }
    for (const origin of foreign) assert.equal((await use(origin)).status, 401, origin)
    assert.equal((await use(own, two.id)).status, 401)
    for (const origin of [own, baseUrl, androidOrigin]) assert.equal((await use(origin)).status, 200, origin)
  })
})

describe('A passkey', () => {
  const origins = ['https://shop.example', '*']

  it('is for BASE_DOMAIN where the service is below it, on the port of the service', () => {
    const { id, originsFor } = relyingParty({
      baseUrl: 'https://app.acme.example:8443/',
      baseDomain: 'acme.example',
      origins,
    })
    const everywhere = ['https://app.acme.example:8443', 'https://shop.example']
    assert.equal(id, 'acme.example')
    assert.deepEqual(originsFor({ subdomain: 'one' }), [...everywhere, 'https://one.acme.example:8443'])
    assert.deepEqual(originsFor({ subdomain: null }), everywhere)
  })

  it('is for the host of the service otherwise', () => {
    for (const other of [null, 'other.example', 'cme.example']) {
      const { id, originsFor } = relyingParty({
        baseUrl: 'https://acme.example',
        baseDomain: other,
        origins,
      })
      assert.equal(id, 'acme.example')
      assert.deepEqual(originsFor({ subdomain: 'one' }), ['https://acme.example', 'https://shop.example'])
    }
  })
})
