import assert from 'node:assert/strict'
import { createPublicKey, type KeyObject } from 'node:crypto'
import { after, before, it } from 'node:test'
import {
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import type { Answer } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

type Key = Parameters<SignJWT['sign']>[0]

onEitherDatabase('A token that we did not issue', (database) => {
  let service: IdentityService
  let token: string
  /** What a genuine token claims. */
  let claims: JWTPayload
  let kid: string
  let ownKey: Key
  let foreignKey: CryptoKey
  let foreignPublicKey: CryptoKey
  let published: KeyObject

  before(async () => {
    service = await sharedIdentityService(database)
    token = (await service.signIn('admin')).accessToken
    claims = decodeJwt(token)
    const signer = await service.service.keys.signer()
    kid = signer.id
    ownKey = signer.key
    const pair = await generateKeyPair('ES256')
    foreignKey = pair.privateKey
    foreignPublicKey = pair.publicKey
    const { body } = await service.anonymous.get('/.well-known/jwks.json')
    published = createPublicKey({ key: body.keys[0], format: 'jwk' })
  })
  after(() => service.stop())

  it('would be taken if it were genuine', async () => {
    assert.equal((await present(await sign(claims))).status, 200)
  })

  const hour = 3600
  const forgeries: [string, () => string | Promise<string>][] = [
    ['no text at all', () => ''],
    ['no JWT', () => 'garbage'],
    ['two parts', () => token.split('.').slice(0, 2).join('.')],
    ['its signature cut', () => token.slice(0, -8)],
    ['its signature missing', () => `${token.split('.').slice(0, 2).join('.')}.`],
    ['a changed payload', () => withPayload({ ...claims, roles: ['Admin'], TenantId: 'other' })],
    ['a payload that is no object', () => withPayload(['Admin'])],
    ['another key under our key id', () => sign(claims, {}, foreignKey)],
    ['another key under an unknown key id', () => sign(claims, { kid: 'mine' }, foreignKey)],
    ['no key id', () => sign(claims, { kid: undefined })],
    [
      'its own key in the header',
      async () => sign(claims, { jwk: await exportJWK(foreignPublicKey) }, foreignKey),
    ],
    ['an address of keys in the header', () => sign(claims, { jku: 'https://example.org/keys' }, foreignKey)],
    ['a critical extension', () => sign(claims, { crit: ['x'], x: 1 })],
    ['the algorithm none', () => new UnsecuredJWT(claims).encode()],
    ['the algorithm none under our key id', () => reheaded({ alg: 'none', kid }, '')],
    ['the algorithm none with a signature', () => reheaded({ alg: 'none', kid }, token.split('.')[2] ?? '')],
    ['HS256 with our public key', () => signWithSecret(published.export({ type: 'spki', format: 'pem' }))],
    [
      'HS256 with the bytes of our public key',
      () => signWithSecret(published.export({ type: 'spki', format: 'der' })),
    ],
    ['another issuer', () => sign({ ...claims, iss: 'https://example.org' })],
    ['no issuer', () => sign({ ...claims, iss: undefined })],
    ['another audience', () => sign({ ...claims, aud: 'other' })],
    ['no audience', () => sign({ ...claims, aud: undefined })],
    ['its time over', () => sign({ ...claims, exp: seconds() - 1 })],
    ['no end of its time', () => sign({ ...claims, exp: undefined })],
    ['its time yet to come', () => sign({ ...claims, nbf: seconds() + hour, exp: seconds() + 2 * hour })],
    ['no session', () => sign({ ...claims, sid: undefined })],
    ['no tenant', () => sign({ ...claims, TenantId: undefined })],
    ['no subject', () => sign({ ...claims, sub: undefined })],
    ['an end that is no number', () => sign({ ...claims, exp: 'never' as unknown as number })],
    ['ten thousand characters', () => `${token.slice(0, -1)}${'A'.repeat(10_000)}`],
  ]
  for (const [what, forge] of forgeries) {
    it(`is refused with ${what}`, async () => assertUnauthorized(await present(await forge())))
  }

  const presentations: [string, () => string][] = [
    ['without the scheme', () => token],
    ['under another scheme', () => `Basic ${token}`],
    ['as the scheme alone', () => 'Bearer'],
    ['with something behind it', () => `Bearer ${token} ${token}`],
    ['twice', () => `Bearer ${token}, Bearer ${token}`],
  ]
  for (const [how, header] of presentations) {
    it(`is refused when it comes ${how}`, async () => {
      assertUnauthorized(await service.anonymous.get('/api/auth/me', { authorization: header() }))
    })
  }

  it('is refused in the address or in a cookie', async () => {
    assertUnauthorized(await service.anonymous.get(`/api/auth/me?access_token=${token}`))
    assertUnauthorized(await service.anonymous.get('/api/auth/me', { cookie: `access_token=${token}` }))
  })

  it('is refused where none is needed', async () => {
    assert.equal((await service.anonymous.get('/api/products')).status, 200)
    assertUnauthorized(await service.anonymous.withToken('garbage').get('/api/products'))
  })

  it('is refused at 100 kB, by the limit of the headers or without one', async () => {
    const long = `${token}${'A'.repeat(100_000)}`
    const answer = await present(long)
    assert.equal(answer.status, 431)
    assert.deepEqual(Object.keys(JSON.parse(answer.text)), ['message'])
    const headers = { authorization: `Bearer ${long}` }
    const injected = await service.service.app.inject({ url: '/api/auth/me', headers })
    assert.equal(injected.statusCode, 401)
    assert.match(String(injected.headers['www-authenticate']), /^Bearer error="invalid_token"/)
  })

  function seconds(): number {
    return Math.floor(service.clock.now().getTime() / 1000)
  }

  function present(text: string): Promise<Answer> {
    return service.anonymous.withToken(text).get('/api/auth/me')
  }

  function sign(payload: object, header: object = {}, key: Key = ownKey): Promise<string> {
    const full = { alg: 'ES256', kid, typ: 'JWT', ...header } as JWTHeaderParameters
    return new SignJWT(JSON.parse(JSON.stringify(payload)))
      .setProtectedHeader(full)
      .sign(key, { crit: { x: true } })
  }

  function signWithSecret(secret: string | Buffer): Promise<string> {
    return sign(claims, { alg: 'HS256' }, Buffer.from(secret))
  }

  function reheaded(header: object, signature: string): string {
    return [encode(header), token.split('.')[1], signature].join('.')
  }

  function withPayload(payload: unknown): string {
    const [header, , signature] = token.split('.')
    return [header, encode(payload), signature].join('.')
  }
})

function assertUnauthorized({ status, headers, body }: Answer): void {
  assert.equal(status, 401)
  assert.match(headers.get('www-authenticate') ?? '', /^Bearer\b/)
  assert.deepEqual(Object.keys(body), ['message'])
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
