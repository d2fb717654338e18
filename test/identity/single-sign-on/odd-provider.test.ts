/** A provider that is honest, and differs from the textbook: its reasons, keys, issuer and ways to authenticate. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, it } from 'node:test'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const clientId = 'tenantry'
const codeVerifier = randomBytes(32).toString('base64url')
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

interface SigningKey {
  jwk: JWK
  privateKey: CryptoKey
}

interface TokenRequest {
  authorization: string | undefined
  body: URLSearchParams
}

onEitherDatabase('A provider that differs from the textbook', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  let server: Server
  let address: string
  let issuer: string
  let key: SigningKey
  /** Signs in place of the published one. */
  let hidden: SigningKey | null = null
  let claims: Record<string, unknown> = {}
  let refuse: ((response: ServerResponse) => void) | null = null
  let asked: TokenRequest[] = []
  let keyRequests = 0
  let nonce = ''
  /** Members of the discovery document besides. */
  let discovered: object = {}

  const newKey = async (kid?: string): Promise<SigningKey> => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    return {
      jwk: { ...(await exportJWK(publicKey)), ...(kid !== undefined && { kid }), use: 'sig' },
      privateKey,
    }
  }

  const idToken = (): Promise<string> => {
    const now = Math.floor(service.clock.now().getTime() / 1000)
    const { jwk, privateKey } = hidden ?? key
    const { kid } = jwk
    return new SignJWT({ iss: issuer, aud: clientId, nonce, iat: now, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', ...(kid !== undefined && { kid }) })
      .sign(privateKey)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (reply: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    const { authorization } = request.headers
    const body = new URLSearchParams(await text(request))
    if (request.url === '/keys') {
      keyRequests++
      send({ keys: [key.jwk] })
    } else if (request.url === '/token') {
      asked.push({ authorization, body })
      if (refuse !== null) return refuse(response)
      send({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: await idToken() })
    } else
      send({
        issuer,
        authorization_endpoint: `${address}/authorize`,
        token_endpoint: `${address}/token`,
        jwks_uri: `${address}/keys`,
        id_token_signing_alg_values_supported: ['ES256'],
        ...discovered,
      })
  }

  before(async () => {
    service = await sharedIdentityService(database)
    server = createServer((request, response) => void answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
    key = await newKey('first')
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.stop()
  })
  beforeEach(async () => {
    ;[issuer, claims, refuse, asked, hidden, discovered] = [address, {}, null, [], null, {}]
    tenant = await service.newTenant()
    const domain = `${tenant.id}.example`
    const added = await tenant.admin.post('/api/tenant/sso/domains', { domain })
    service.records.set(added.body.recordName, [added.body.recordValue])
    assert.equal((await tenant.admin.post(`/api/tenant/sso/domains/${domain}/verify`)).status, 200)
    const subject = uniqueName('subject')
    claims = { sub: subject, email: `${subject}@${domain}`, email_verified: true }
  })

  const put = (members: object = {}) =>
    tenant.admin.put('/api/tenant/sso', { issuer, clientId, clientSecret: 'secret', ...members })

  const configure = async (members: object = {}) => {
    const set = await put(members)
    assert.equal(set.status, 200, set.text)
    return set.body
  }

  /** @returns where the provider is asked to sign the user in */
  const start = async (): Promise<URL> => {
    const query = new URLSearchParams({ returnTo: '/account/sso', codeChallenge })
    const { headers } = await service.anonymous.get(`/api/auth/sso/${tenant.id}/start?${query}`)
    const url = new URL(headers.get('location') ?? '')
    nonce = url.searchParams.get('nonce') ?? ''
    return url
  }

  const comeBack = async (members: Record<string, string>): Promise<URLSearchParams> => {
    const state = (await start()).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, ...members })
    const { status, headers } = await service.anonymous.get(`/api/auth/sso/callback?${query}`)
    assert.equal(status, 303)
    return new URL(headers.get('location') ?? '').searchParams
  }

  /** @returns the id of the user */
  const signIn = async (): Promise<string> => {
    const returned = await comeBack({ code: 'a code' })
    const code = returned.get('sign_in_code')
    assert.notEqual(code, null, await latestReason())
    const input = { code, codeVerifier }
    const answered = await service.anonymous.post('/api/auth/token', input, { 'x-tenant-id': tenant.id })
    return answered.body.user.id
  }

  const latestReason = async (): Promise<string> => {
    const { body } = await tenant.admin.get('/api/audit?action=sso.refused&limit=1')
    return body[0]?.detail.reason ?? ''
  }

  it('is told with its reason when it refuses the client, in the body or beside a challenge', async () => {
    await configure()
    const words = 'The client secret keys are expired. Visit https://evil.example/keys or www.evil.example'
    const body = JSON.stringify({ error: 'invalid_client', error_description: words.padEnd(1000, '.') })
    for (const headers of [{}, { 'www-authenticate': 'Basic realm="login"' }]) {
      service.clock.advance({ minutes: 1 })
      refuse = (response) =>
        response.writeHead(401, { 'content-type': 'application/json', ...headers }).end(body)
      assert.equal((await comeBack({ code: 'a code' })).get('sign_in_error'), 'provider_failed')
      const reason = await latestReason()
      assert.match(reason, /invalid_client: “The client secret keys are expired\. Visit \[link\] or \[link\]/)
      assert.ok(reason.length < 400)
    }
  })

  it('is told with its reason when it sends the browser back without a code', async () => {
    await configure()
    const refusal = {
      error: 'access_denied',
      error_description: 'AADSTS50105: not assigned, see https://x.example',
    }
    assert.equal((await comeBack(refusal)).get('sign_in_error'), 'provider_refused')
    assert.equal(await latestReason(), 'access_denied: “AADSTS50105: not assigned, see [link]”')
    await comeBack({ ...refusal, error_description: 'another text' })
    const { body } = await tenant.admin.get('/api/audit?action=sso.refused')
    assert.equal(body.length, 1, 'a caller writes a text a minute')
  })

  it('may sign with a key that it has published a moment ago, with a name or without', async () => {
    await configure()
    const id = await signIn()
    for (const kid of ['second', undefined, undefined]) {
      key = await newKey(kid)
      assert.equal(await signIn(), id)
    }
    const formerRequests = keyRequests
    hidden = await newKey('never published')
    assert.equal((await comeBack({ code: 'a code' })).get('sign_in_error'), 'provider_failed')
    assert.equal(keyRequests, formerRequests + 1)
  })

  it('is asked as a client in the way that the tenant has set', async () => {
    const basic = `Basic ${Buffer.from('tenantry:secret').toString('base64')}`
    const ways: [string, string | undefined, string | null][] = [
      ['automatic', basic, null],
      ['client_secret_basic', basic, null],
      ['client_secret_post', undefined, 'secret'],
    ]
    for (const [clientAuthentication, header, secret] of ways) {
      await configure({ clientAuthentication })
      await signIn()
      const last = asked.at(-1)
      assert.deepEqual([last?.authorization, last?.body.get('client_secret') ?? null], [header, secret])
    }
    await tenant.admin.delete('/api/tenant/sso')
    const input = { issuer, clientId }
    assertError(await tenant.admin.put('/api/tenant/sso', input), 400, /clientSecret: is required/)
    await configure({ clientSecret: undefined, clientAuthentication: 'none' })
    await signIn()
    const last = asked.at(-1)
    assert.deepEqual(
      [last?.authorization, last?.body.get('client_id'), last?.body.has('client_secret')],
      [undefined, clientId, false],
    )
    assert.notEqual(last?.body.get('code_verifier') ?? null, null)
    assertError(await tenant.admin.put('/api/tenant/sso', input), 400, /clientSecret: is required/)
  })

  const verifiedAssertion = async () => {
    const { body } = asked.at(-1) ?? assert.fail('nothing was asked')
    assert.deepEqual(
      [body.get('client_id'), body.get('client_assertion_type'), body.has('client_secret')],
      [clientId, 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', false],
    )
    const published = await service.anonymous.get(`/api/auth/sso/${tenant.id}/jwks.json`)
    const keys = createLocalJWKSet(published.body)
    return jwtVerify(body.get('client_assertion') ?? '', keys, { currentDate: service.clock.now() })
  }

  it('is asked with an assertion that its published key signs, for its issuer or its token endpoint', async () => {
    discovered = { token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'] }
    const way = { clientSecret: undefined, clientAuthentication: 'private_key_jwt' }
    const stored = await configure(way)
    assert.equal(stored.jwksUri, `${service.config.baseUrl}/api/auth/sso/${tenant.id}/jwks.json`)
    const ids = new Set<unknown>()
    for (const [assertionAudience, audience] of [
      ['issuer', issuer],
      ['token_endpoint', `${address}/token`],
    ]) {
      await configure({ ...way, assertionAudience })
      await signIn()
      const { payload, protectedHeader } = await verifiedAssertion()
      assert.equal(protectedHeader.alg, 'ES256')
      const { iss, sub, aud, exp = 0, iat = 0, jti } = payload
      assert.deepEqual([iss, sub, aud], [clientId, clientId, audience])
      assert.ok(exp - iat <= 60)
      ids.add(jti)
    }
    assert.equal(ids.size, 2)
  })

  it('is asked with a key for RS256 unless it lists ES256, and not with a key that it cannot verify', async () => {
    const way = { clientSecret: undefined, clientAuthentication: 'private_key_jwt' }
    await configure(way)
    await signIn()
    assert.equal((await verifiedAssertion()).protectedHeader.alg, 'RS256')
    discovered = { token_endpoint_auth_signing_alg_values_supported: ['ES256'] }
    assertError(await put(way), 400, /clientAuthentication: needs a key for ES256/)
    const made = await tenant.admin.post('/api/tenant/sso/client-keys', { algorithm: 'ES256' })
    assert.equal(made.status, 201, made.text)
    await tenant.admin.post(`/api/tenant/sso/client-keys/${made.body.id}/activate`)
    await configure(way)
    await signIn()
    assert.equal((await verifiedAssertion()).protectedHeader.kid, made.body.id)
  })

  it('is asked to show what the tenant wants, and told whose users these are', async () => {
    const stored = await configure({ prompt: 'select_account', domainHint: 'acme.example' })
    assert.deepEqual([stored.prompt, stored.domainHint], ['select_account', 'acme.example'])
    const { searchParams } = await start()
    assert.deepEqual(
      [searchParams.get('prompt'), searchParams.get('domain_hint')],
      ['select_account', 'acme.example'],
    )
    await configure()
    assert.equal((await start()).searchParams.has('prompt'), false)
    assertError(await put({ prompt: 'none' }), 400, /prompt/)
  })

  it('has the issuer that its discovery document names, and keeps its users when it writes it otherwise', async () => {
    assert.equal((await configure({ issuer: `${address}/` })).issuer, address)
    const id = await signIn()
    issuer = `${address}/`
    assert.equal((await configure({ issuer: address })).issuer, `${address}/`)
    claims = { sub: claims['sub'] }
    assert.equal(await signIn(), id)
  })
})
