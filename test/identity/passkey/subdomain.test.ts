/** Passkeys on the subdomains of tenants. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { startService, type TestService } from '../../support/service.ts'
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts'

const base = '/api/auth/passkeys'

onEitherDatabase('A passkey with BASE_DOMAIN', (database) => {
  let service: TestService
  before(async () => {
    const settings = { BASE_URL: 'https://app.acme.example:8443', BASE_DOMAIN: 'acme.example' }
    service = await startService(database, settings)
  })
  after(() => service.stop())

  it('is made and used on the subdomain of its tenant, and on that of no other', async () => {
    const [one, two] = [
      await service.newTenant({ subdomain: 'one' }),
      await service.newTenant({ subdomain: 'two' }),
    ]
    const own = 'https://one.acme.example:8443'
    const device = new SoftwareAuthenticator(own)
    const create = async (origin: string) => {
      const options = await one.user.post(`${base}/creation-options`)
      assert.equal(options.body.rp.id, 'acme.example')
      return one.user.post(base, { name: 'Mine', response: device.create(options.body, { origin }) })
    }
    const foreign = [
      'https://two.acme.example:8443',
      'https://one.acme.example',
      'http://one.acme.example:8443',
      'https://x.one.acme.example:8443',
      'https://acme.example:8443',
      'https://one.acme.example.evil.example:8443',
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
    for (const origin of [own, 'https://app.acme.example:8443'])
      assert.equal((await use(origin)).status, 200, origin)
  })
})
