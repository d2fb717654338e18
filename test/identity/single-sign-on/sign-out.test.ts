/** Signing out at a real provider, and being signed out by it. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from '../../support/identity-provider.ts'
import { type Instance, startInstance } from '../../support/instance.ts'
import { type NameServer, startNameServer } from '../../support/name-server.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { Browser } from './browser.ts'

const baseUrl = 'http://app.localhost'
const returnTo = `${baseUrl}/account/sso`

onEitherDatabase('Signing out with single sign-on', (database) => {
  const records = new Map<string, string[]>()
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  let names: NameServer
  let service: TestService
  let other: Instance | null = null
  let provider: IdentityProvider
  let tenant: TestTenant
  before(async () => {
    names = await startNameServer(({ name }) => records.get(name) ?? 'missing')
    const settings = { BASE_URL: baseUrl }
    service = await startService(database, settings, { receivers: { nameServers: [names.address] } })
    if (database === 'postgres') other = await startInstance(service)
    tenant = await service.newTenant()
    provider = await startIdentityProvider(baseUrl, {
      logoutUri: `${service.url}/api/auth/sso/${tenant.id}/backchannel-logout`,
    })
    const domain = `${tenant.id}.example`
    const added = await tenant.admin.post('/api/tenant/sso/domains', { domain })
    records.set(added.body.recordName, [added.body.recordValue])
    await tenant.admin.post(`/api/tenant/sso/domains/${domain}/verify`)
    const input = { issuer: provider.issuer, clientId, clientSecret }
    const { status, text, body } = await tenant.admin.put('/api/tenant/sso', input)
    assert.equal(status, 200, text)
    assert.equal(body.signOutRedirectUri, `${baseUrl}/api/auth/sso/signed-out`)
    assert.equal(body.logoutUri, `${baseUrl}/api/auth/sso/${tenant.id}/backchannel-logout`)
  })
  after(async () => {
    await provider.close()
    await other?.stop()
    await service.stop()
    names.close()
  })

  const newSubject = (claims: object = {}): string => {
    const subject = uniqueName('subject')
    const email = `${subject}@${tenant.id}.example`
    provider.users.set(subject, { email, email_verified: true, preferred_username: subject, ...claims })
    return subject
  }

  /** @returns the code for the application */
  const begin = async (browser: Browser, subject: string): Promise<string> => {
    provider.next = subject
    const query = new URLSearchParams({ returnTo, codeChallenge })
    const url = await browser.follow(`${baseUrl}/api/auth/sso/${tenant.id}/start?${query}`, returnTo)
    return url.searchParams.get('sign_in_code') ?? ''
  }

  const exchange = (code: string) =>
    service.anonymous.post('/api/auth/token', { code, codeVerifier }, { 'x-tenant-id': tenant.id })

  const signIn = async (browser: Browser, subject: string) => {
    const answer = await exchange(await begin(browser, subject))
    assert.equal(answer.status, 200, answer.text)
    const client = service.anonymous.withToken(answer.body.accessToken)
    const elsewhere = other?.anonymous.withToken(answer.body.accessToken)
    return { ...answer.body, client, elsewhere: elsewhere ?? client }
  }

  const newBrowser = () => new Browser({ [baseUrl]: service.url })

  it('ends the session here and at the provider, and comes back', async () => {
    const browser = newBrowser()
    const session = await signIn(browser, newSubject())
    assertError(
      await session.client.post('/api/auth/sso/sign-out', { returnTo: 'https://evil.example/' }),
      400,
    )
    const { status, body } = await session.client.post('/api/auth/sso/sign-out', { returnTo })
    assert.equal(status, 200)
    assertError(await session.client.get('/api/auth/me'), 401)
    const url = new URL(body.url)
    assert.equal(url.origin, provider.issuer)
    assert.equal(url.searchParams.get('client_id'), clientId)
    assert.ok(url.searchParams.get('id_token_hint'))
    const back = await browser.confirm(url, { logout: 'yes' })
    assert.equal(`${back.origin}${back.pathname}`, `${baseUrl}/api/auth/sso/signed-out`)
    const returned = await service.anonymous.get(`${back.pathname}${back.search}`)
    assert.deepEqual([returned.status, returned.headers.get('location')], [303, returnTo])
    // The provider asks again who it is.
    provider.next = null
    const query = new URLSearchParams({ returnTo, codeChallenge })
    const again = await browser.follow(`${baseUrl}/api/auth/sso/${tenant.id}/start?${query}`, returnTo)
    assert.equal(again.searchParams.get('sign_in_error'), 'provider_refused')
  })

  it('has an address below 2 000 characters, also after a long ID token and for a long way back', async () => {
    const browser = newBrowser()
    const groups = Array.from({ length: 100 }, (_, index) => `department-${index}`)
    const { client } = await signIn(browser, newSubject({ groups }))
    assertError(
      await client.post('/api/auth/sso/sign-out', { returnTo: `/${'ü'.repeat(499)}` }),
      400,
      /returnTo/,
    )
    const longest = `/${'x'.repeat(499)}`
    const { body } = await client.post('/api/auth/sso/sign-out', { returnTo: longest })
    assert.ok(body.url.length < 2000, `${body.url.length} characters`)
    const url = new URL(body.url)
    assert.deepEqual(
      [url.searchParams.get('client_id'), url.searchParams.has('id_token_hint')],
      [clientId, false],
    )
    const back = await browser.confirm(url, { logout: 'yes' })
    const returned = await service.anonymous.get(`${back.pathname}${back.search}`)
    assert.equal(returned.headers.get('location'), `${baseUrl}${longest}`)
  })

  it('leads nowhere from a state that was forged or is of a sign-in', async () => {
    const query = new URLSearchParams({ returnTo, codeChallenge })
    const started = await service.anonymous.get(`/api/auth/sso/${tenant.id}/start?${query}`)
    const ofSignIn = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    for (const state of ['x', 'eyJ9.x', ofSignIn])
      assertError(
        await service.anonymous.get(`/api/auth/sso/signed-out?${new URLSearchParams({ state })}`),
        400,
      )
  })

  it('has no place at the provider for a session that began with a password', async () => {
    const { client } = await service.signIn('worker', tenant.id)
    const { body } = await client.post('/api/auth/sso/sign-out', { returnTo })
    assert.deepEqual(body, { message: 'You are signed out.', url: null })
    assertError(await client.get('/api/auth/me'), 401)
  })

  it('at the provider ends the sessions that began there, on every instance, and no others', async () => {
    const browser = newBrowser()
    const subject = newSubject()
    const here = await signIn(browser, subject)
    const elsewhere = await signIn(newBrowser(), subject)
    const somebody = await signIn(newBrowser(), newSubject())
    const pending = await begin(browser, subject)
    const end = new URL(`${provider.issuer}/session/end`)
    end.searchParams.set('client_id', clientId)
    await browser.confirm(end, { logout: 'yes' }).catch(() => undefined) // a page, and no address, follows
    const hasEnded = async () => (await here.elsewhere.get('/api/auth/me')).status === 401
    await eventually('the end of the session', soonMs, hasEnded)
    assertError(await service.anonymous.post('/api/auth/refresh', { refreshToken: here.refreshToken }), 401)
    assertError(await exchange(pending), 401)
    for (const { client } of [elsewhere, somebody])
      assert.equal((await client.get('/api/auth/me')).status, 200)
    const { body } = await tenant.admin.get('/api/audit?action=sso.signedOut&limit=1')
    assert.equal(body[0].subjectId, here.user.id)
    assert.equal(body[0].detail.sessions, 1)
  })
})
