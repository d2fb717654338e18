/** What a service that verifies access tokens finds out by itself. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { onEitherDatabase } from '../../support/databases.ts'
import type { SignedIn } from '../../support/service.ts'
import { baseUrl, type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('The discovery of what verifies access tokens', (database) => {
  let service: IdentityService
  let signedIn: SignedIn
  before(async () => {
    service = await sharedIdentityService(database)
    signedIn = await service.signIn('admin')
  })
  after(() => service.stop())

  const discover = () => service.anonymous.get('/.well-known/openid-configuration')

  it('names issuer, keys, algorithm and claims as the tokens have them', async () => {
    const { status, body } = await discover()
    assert.equal(status, 200)
    const { claims_supported: claims, ...rest } = body
    assert.deepEqual(rest, {
      issuer: baseUrl,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [decodeProtectedHeader(signedIn.accessToken).alg],
    })
    const present = Object.keys(decodeJwt(signedIn.accessToken))
    assert.deepEqual([...claims].sort(), [...present, 'act'].sort())
  })

  it('is enough for a verifier that knows the address alone', async () => {
    const { body } = await discover()
    // The public address leads to the service of the test.
    const fetchKeys = (address: string) => fetch(address.replace(baseUrl, service.url))
    const keys = createRemoteJWKSet(new URL(body.jwks_uri), { [customFetch]: fetchKeys })
    const { payload } = await jwtVerify(signedIn.accessToken, keys, {
      issuer: body.issuer,
      algorithms: body.id_token_signing_alg_values_supported,
      currentDate: service.clock.now(),
    })
    assert.equal(payload['TenantId'], 'default')
  })

  it('is the same for a tenant, whose tokens have the same issuer', async () => {
    const tenant = await service.newTenant()
    const { body } = await service.anonymous.get('/.well-known/openid-configuration', {
      'x-tenant-id': tenant.id,
    })
    assert.deepEqual(body, (await discover()).body)
  })
})
