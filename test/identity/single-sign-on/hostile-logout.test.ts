/** Logout tokens that are forged, of another kind, too old or used are refused, with an audit row and without a hint. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Answer } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'
import { type Discovery, startDiscovery } from './discovery.ts'

const clientId = 'tenantry'
const event = 'http://schemas.openid.net/event/backchannel-logout'

onEitherDatabase('A logout token', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  let provider: Discovery
  let issuer: string
  let own: CryptoKey
  let foreign: CryptoKey
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
    const [pair, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
    own = pair.privateKey
    foreign = other.privateKey
    provider = await startDiscovery([{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }])
    issuer = provider.issuer
    const set = await tenant.admin.put('/api/tenant/sso', { issuer, clientId, clientSecret: 'secret' })
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    provider.close()
    await service.stop()
  })

  const seconds = () => Math.floor(service.clock.now().getTime() / 1000)

  /** @param change of the claims; `undefined` removes one */
  const tokenOf = (change: Record<string, unknown> = {}, { key = own, typ = 'logout+jwt' } = {}) => {
    const times = { iat: seconds(), exp: seconds() + 120 }
    const claims = { iss: issuer, aud: clientId, sub: 'ada', jti: uniqueName('jti'), events: { [event]: {} } }
    return new SignJWT({ ...claims, ...times, ...change })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ })
      .sign(key)
  }

  const tokenWith = async (header: object) =>
    (await tokenOf()).replace(/^[^.]+/, Buffer.from(JSON.stringify(header)).toString('base64url'))

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (token: string, tenantId = tenant.id, headers: Record<string, string> = form) => {
    const path = `/api/auth/sso/${tenantId}/backchannel-logout`
    return service.anonymous.post(path, String(new URLSearchParams({ logout_token: token })), headers)
  }

  const lastAudit = async (action: string) =>
    (await tenant.admin.get(`/api/audit?action=${action}&limit=1`)).body[0]

  const lies: [string, () => Promise<string>, RegExp][] = [
    ['without a signature of the provider', () => tokenOf({}, { key: foreign }), /signature/],
    ['of another issuer', () => tokenOf({ iss: 'https://other.example' }), /iss/],
    ['for another client', () => tokenOf({ aud: 'another' }), /aud/],
    ['that has expired', () => tokenOf({ exp: seconds() - 60 }), /exp/],
    ['of an hour ago', () => tokenOf({ iat: seconds() - 3600 }), /iat/],
    ['of tomorrow', () => tokenOf({ iat: seconds() + 86_400, exp: undefined }), /iat/],
    ['without a time', () => tokenOf({ iat: undefined }), /iat/],
    ['of another type', () => tokenOf({}, { typ: 'at+jwt' }), /another type/],
    ['with a nonce, as an ID token has', () => tokenOf({ nonce: 'x' }), /nonce/],
    ['without the event', () => tokenOf({ events: {} }), /no logout token/],
    ['whose event is no object', () => tokenOf({ events: { [event]: true } }), /no logout token/],
    ['without an id', () => tokenOf({ jti: undefined }), /no id/],
    ['of nobody', () => tokenOf({ sub: undefined }), /neither/],
    ['of a number', () => tokenOf({ sub: 7 }), /names no user/],
    ['with characters that no database stores', () => tokenOf({ sid: 'a\0' }), /names no user/],
    ['that is none', async () => 'x.y.z', /not accepted/],
    ['that is empty', async () => '', /not accepted/],
    ['that says it needs no signature', () => tokenWith({ alg: 'none' }), /not accepted/],
    [
      'with an extension, whose name the audit does not have,',
      () => tokenWith({ alg: 'ES256', kid: 'one', crit: ['evil'], evil: 1 }),
      /: The token has extensions\.$/,
    ],
  ]
  for (const [what, make, reason] of lies) {
    it(`${what} is refused`, async () => {
      const answer = await send(await make())
      assert.equal(answer.status, 400)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.deepEqual(answer.body, { message: 'The logout token is not accepted.' })
      assert.match((await lastAudit('sso.signOutRefused')).detail.reason, reason)
    })
  }

  it('is accepted otherwise, also for a user whom nobody knows, and for a session alone', async () => {
    for (const change of [{}, { sid: 's' }, { sid: 's', sub: undefined }, { exp: undefined }]) {
      const answer = await send(await tokenOf(change))
      assert.equal(answer.status, 200, answer.text)
    }
    const { detail } = await lastAudit('sso.signedOut')
    assert.deepEqual(detail, { issuer, subject: 'ada', sid: null, sessions: 0 })
  })

  it('is used once, also by many at once', async () => {
    const token = await tokenOf()
    // No more than seven: further ones would have to wait their turn.
    const answers = await Promise.all(Array.from({ length: 7 }, () => send(token)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array<number>(6).fill(400)])
    assert.match((await lastAudit('sso.signOutRefused')).detail.reason, /was used/)
  })

  it('is for a tenant that has the provider, and comes in a form', async () => {
    const without = await service.newTenant()
    for (const id of [without.id, 'nobody']) assert.equal((await send(await tokenOf(), id)).status, 404)
    const { status } = await send(await tokenOf(), tenant.id, { 'content-type': 'text/plain' })
    assert.equal(status, 415)
  })

  it('is verified a hundred times in ten seconds for one client', async () => {
    let limited: Answer | null = null
    for (let count = 0; count < 400 && limited === null; count++) {
      const answer = await send('x.y.z')
      if (answer.status === 429) limited = answer
    }
    assert.ok(Number(limited?.headers.get('retry-after')) > 0)
  })
})
