/** A provider that lies, stalls or floods: the sign-in is refused, and the service goes on. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import type { TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const clientId = 'tenantry'
const codeChallenge = createHash('sha256').update(randomBytes(8)).digest('base64url')

/** What the provider does differently. */
interface Tricks {
  claims?: Record<string, unknown>
  foreignKey?: boolean
  unsigned?: boolean
  token?: (response: ServerResponse) => void
  issuer?: string
  tokenEndpoint?: string
}

onEitherDatabase('A hostile provider', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  let server: Server
  let issuer: string
  let tricks: Tricks = {}
  let nonce = ''
  const seconds = () => Math.floor(service.clock.now().getTime() / 1000)
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
    const [own, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
    const published = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
    const idToken = (): Promise<string> => {
      const now = seconds()
      const claims = { iss: issuer, aud: clientId, sub: 'ada', nonce, iat: now, exp: now + 60 }
      const key = tricks.foreignKey === true ? foreign.privateKey : own.privateKey
      const token = new SignJWT({ ...claims, ...tricks.claims }).setProtectedHeader({
        alg: 'ES256',
        kid: 'one',
      })
      return token.sign(key)
    }
    const tokens = async (response: ServerResponse): Promise<void> => {
      if (tricks.token !== undefined) return tricks.token(response)
      const signed = await idToken()
      const [, body] = signed.split('.')
      const none = Buffer.from('{"alg":"none"}').toString('base64url')
      const token = tricks.unsigned === true ? `${none}.${body}.` : signed
      sendJson(response, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: token })
    }
    const routes: Record<string, (response: ServerResponse) => unknown> = {
      '/.well-known/openid-configuration': (response) =>
        sendJson(response, {
          issuer: tricks.issuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: tricks.tokenEndpoint ?? `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ['ES256'],
        }),
      '/keys': (response) => sendJson(response, { keys: [published] }),
      '/token': tokens,
    }
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      request.resume()
      const answer = routes[request.url ?? ''] ?? ((missing: ServerResponse) => missing.writeHead(404).end())
      answer(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.stop()
  })

  /** Each configuration has a version of its own, for which the discovery document is read. */
  const configure = (members: object = {}) =>
    tenant.admin.put('/api/tenant/sso', { issuer, clientId, clientSecret: 'secret', ...members })

  const start = async (): Promise<string> => {
    const query = new URLSearchParams({ returnTo: '/account/sso', codeChallenge })
    const { headers } = await service.anonymous.get(`/api/auth/sso/${tenant.id}/start?${query}`)
    const url = new URL(headers.get('location') ?? '')
    nonce = url.searchParams.get('nonce') ?? ''
    return url.searchParams.get('state') ?? ''
  }

  /** @returns the fault that the browser is told, and the reason that the audit has */
  const signIn = async (state: string): Promise<[string | null, string]> => {
    const query = new URLSearchParams({ state, code: 'a code' })
    const { status, headers } = await service.anonymous.get(`/api/auth/sso/callback?${query}`)
    assert.equal(status, 303)
    const { searchParams } = new URL(headers.get('location') ?? '')
    const { body } = await tenant.admin.get('/api/audit?action=sso.refused&limit=1')
    return [searchParams.get('sign_in_error'), body[0]?.detail.reason ?? '']
  }

  const lies: [string, () => Tricks, RegExp][] = [
    ['the issuer of a token', () => ({ claims: { iss: 'https://other.example' } }), /\(iss\)/],
    ['its audience', () => ({ claims: { aud: 'another client' } }), /\(aud\)/],
    ['its nonce', () => ({ claims: { nonce: 'another' } }), /\(nonce\)/],
    ['its end', () => ({ claims: { exp: seconds() - 3600 } }), /\(exp\)/],
    ['its beginning', () => ({ claims: { nbf: seconds() + 3600 } }), /\(nbf\)/],
    ['its key', () => ({ foreignKey: true }), /signature/i],
    ['its signature, which is missing', () => ({ unsigned: true }), /alg|signature|JWT/i],
  ]
  for (const [what, trick, reason] of lies) {
    it(`is refused when it lies about ${what}`, async () => {
      tricks = {}
      await configure()
      const state = await start()
      tricks = trick()
      const [fault, told] = await signIn(state)
      assert.equal(fault, 'provider_failed')
      assert.match(told, reason)
    })
  }

  it('is believed otherwise, and then refused for its lack of an address', async () => {
    tricks = {}
    await configure()
    const [fault, told] = await signIn(await start())
    assert.deepEqual([fault, told], ['not_allowed', 'The provider gives no verified address.'])
  })

  it('is refused when its answer is endless, no JSON, an error or a redirect to somewhere else', async () => {
    const answers: [(response: ServerResponse) => void, RegExp][] = [
      [(response) => response.end(`"${'x'.repeat(300_000)}"`), /too long/],
      [(response) => response.setHeader('content-type', 'application/json').end('{'), /not accepted/],
      [
        (response) => {
          response.statusCode = 500
          sendJson(response, {})
        },
        /not accepted/,
      ],
      [(response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), /not accepted/],
      [(response) => response.destroy(), /connection/],
    ]
    for (const [token, reason] of answers) {
      tricks = {}
      await configure()
      const state = await start()
      tricks = { token }
      const [fault, told] = await signIn(state)
      assert.equal(fault, 'provider_failed')
      assert.match(told, reason)
    }
  })

  it('does not make the service reach addresses that it may not', async () => {
    tricks = { tokenEndpoint: 'http://169.254.169.254/latest/meta-data/' }
    await configure()
    const [fault, told] = await signIn(await start())
    assert.equal(fault, 'provider_failed')
    assert.match(told, /private or reserved/)
    tricks = {}
    for (const address of [
      'http://169.254.169.254/',
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'ftp://x.example',
    ]) {
      const { status, body } = await configure({ issuer: address })
      assert.equal(status, 400)
      assert.match(body.message, /^issuer/)
    }
  })

  it('cannot be set when it is somebody else, or nobody', async () => {
    tricks = { issuer: 'https://other.example' }
    assert.match((await configure()).body.message, /^issuer: does not work/)
    tricks = {}
    const { status, body } = await configure({ issuer: `${issuer}/nowhere` })
    assert.equal(status, 400)
    assert.match(body.message, /^issuer: does not work/)
  })

  it('holds up eight sign-ins of a network and no others', async () => {
    tricks = {}
    await configure()
    const states = await Promise.all(Array.from({ length: 12 }, start))
    const held: ServerResponse[] = []
    tricks = { token: (response) => void held.push(response) }
    const answered: number[] = []
    const calls = states.map(async (state) => {
      const query = new URLSearchParams({ state, code: 'a code' })
      const { status } = await service.anonymous.get(`/api/auth/sso/callback?${query}`)
      answered.push(status)
    })
    const isFull = async () => held.length === 8 && answered.length === 4
    await eventually('eight are held and the others answered', soonMs, isFull)
    assert.deepEqual(answered, Array(4).fill(429))
    assert.equal((await service.anonymous.get('/health/live')).status, 200)
    for (const response of held) response.destroy()
    await Promise.all(calls)
    assert.deepEqual(answered.slice(4), Array(8).fill(303))
  })
})

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}
