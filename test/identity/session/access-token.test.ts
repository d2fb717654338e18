import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { onEitherDatabase } from '../../support/databases.ts'
import type { SignedIn } from '../../support/service.ts'
import { baseUrl, type IdentityService, sharedIdentityService } from '../identity-service.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

onEitherDatabase('An access token', (database) => {
  let service: IdentityService
  let signedIn: SignedIn
  before(async () => {
    service = await sharedIdentityService(database)
    signedIn = await service.signIn('admin')
  })
  after(() => service.stop())

  it('has the claims that are promised, and no others', async () => {
    const me = await signedIn.client.get('/api/auth/me')
    const { sid, jti, iat = 0, ...rest } = decodeJwt(signedIn.accessToken)
    assert.match(String(sid), uuid)
    assert.match(String(jti), uuid)
    assert.ok(Math.abs(iat - service.clock.now().getTime() / 1000) < 10)
    assert.deepEqual(rest, {
      sub: me.body.id,
      name: 'admin',
      email: 'admin@example.com',
      roles: ['Admin'],
      TenantId: 'default',
      iss: baseUrl,
      aud: 'tenantry',
      nbf: iat,
      exp: iat + 900,
    })
  })

  it('is signed with ES256 by a key that the service publishes', async () => {
    const { alg, kid, typ } = decodeProtectedHeader(signedIn.accessToken)
    assert.deepEqual({ alg, typ }, { alg: 'ES256', typ: 'JWT' })
    const { status, body } = await service.anonymous.get('/.well-known/jwks.json')
    assert.equal(status, 200)
    assert.equal(body.keys.length, 1)
    const { x, y, ...rest } = body.keys[0]
    assert.deepEqual(rest, { kty: 'EC', crv: 'P-256', kid, alg: 'ES256', use: 'sig' })
    for (const coordinate of [x, y]) assert.equal(Buffer.from(coordinate, 'base64url').length, 32)
  })

  it('is verified by an independent reader of the published keys', async () => {
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(signedIn.accessToken, keys, {
      issuer: baseUrl,
      audience: 'tenantry',
      algorithms: ['ES256'],
      currentDate: service.clock.now(),
    })
    assert.equal(payload['TenantId'], 'default')
  })

  it('is another one at each sign-in and each refresh', async () => {
    const again = await service.signIn('admin')
    const { refreshToken } = again
    const refreshed = await service.anonymous.post('/api/auth/refresh', { refreshToken })
    const tokens = [signedIn.accessToken, again.accessToken, refreshed.body.accessToken].map((token) =>
      decodeJwt(token),
    )
    assert.equal(new Set(tokens.map(({ jti }) => jti)).size, 3)
    const [first, second, third] = tokens.map(({ sid }) => sid)
    assert.notEqual(second, first)
    assert.equal(third, second)
  })

  it('is taken with the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${signedIn.accessToken}` }
      assert.equal((await service.anonymous.get('/api/auth/me', headers)).status, 200, scheme)
    }
  })
})
