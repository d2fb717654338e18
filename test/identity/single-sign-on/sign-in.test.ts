/** Signing in at a real provider, from the settings of an administrator to the session of a user. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from '../../support/identity-provider.ts'
import { type NameServer, startNameServer } from '../../support/name-server.ts'
import {
  password,
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../support/service.ts'
import { rivals } from '../identity-service.ts'
import { Browser } from './browser.ts'

interface ProvenTenant extends TestTenant {
  domain: string
}

const baseUrl = 'http://app.localhost'
const returnTo = `${baseUrl}/account/sso`

onEitherDatabase('Single sign-on', (database) => {
  const clock = new TestClock()
  const records = new Map<string, string[]>()
  let names: NameServer
  let service: TestService
  let provider: IdentityProvider
  /** For tests that leave its configuration as it is. */
  let usual: ProvenTenant
  let stranger: ProvenTenant
  before(async () => {
    names = await startNameServer(({ name }) => records.get(name) ?? 'missing')
    const settings = { BASE_URL: baseUrl, CORS_ORIGINS: 'https://shop.example' }
    const options = { clock: clock.now, receivers: { nameServers: [names.address] } }
    service = await startService(database, settings, options)
    provider = await startIdentityProvider(baseUrl)
    usual = await newTenant()
    stranger = await newTenant()
  })
  after(async () => {
    await provider.close()
    await service.stop()
    names.close()
  })

  const configure = (admin: Client, members: object = {}) =>
    admin.put('/api/tenant/sso', { issuer: provider.issuer, clientId, clientSecret, ...members })

  const prove = async (admin: Client, domain: string) => {
    const added = await admin.post('/api/tenant/sso/domains', { domain })
    assert.equal(added.status, 201, added.text)
    records.set(added.body.recordName, [added.body.recordValue])
    const verified = await admin.post(`/api/tenant/sso/domains/${domain}/verify`)
    assert.equal(verified.status, 200, verified.text)
  }

  /** A tenant with the provider and a domain of its own. */
  const newTenant = async (members: object = {}): Promise<ProvenTenant> => {
    const tenant = await service.newTenant()
    const domain = `${tenant.id}.example`
    await prove(tenant.admin, domain)
    const configured = await configure(tenant.admin, members)
    assert.equal(configured.status, 200, configured.text)
    return { ...tenant, domain }
  }

  const newSubject = (claims: Record<string, unknown>): string => {
    const subject = uniqueName('subject')
    provider.users.set(subject, claims)
    return subject
  }

  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

  const startOf = (tenantId: string, target = returnTo): string => {
    const query = new URLSearchParams({ returnTo: target, codeChallenge })
    return `${baseUrl}/api/auth/sso/${tenantId}/start?${query}`
  }

  /** @returns the address to which the browser returns */
  const visit = (tenantId: string, subject: string | null): Promise<URL> => {
    provider.next = subject
    return new Browser({ [baseUrl]: service.url }).follow(startOf(tenantId), returnTo)
  }

  const exchange = (tenantId: string, url: URL, verifier = codeVerifier) =>
    service.anonymous.post(
      '/api/auth/token',
      { code: url.searchParams.get('sign_in_code'), codeVerifier: verifier },
      { 'x-tenant-id': tenantId },
    )

  const signIn = async (tenantId: string, subject: string) => {
    const url = await visit(tenantId, subject)
    assert.equal(url.searchParams.get('sign_in_error'), null)
    const answer = await exchange(tenantId, url)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  const refused = async (
    tenant: TestTenant,
    subject: string | null,
    reason: RegExp,
    fault = 'not_allowed',
  ) => {
    const url = await visit(tenant.id, subject)
    assert.equal(url.searchParams.get('sign_in_error'), fault)
    const { body } = await tenant.admin.get('/api/audit?action=sso.refused&limit=1')
    assert.match(body[0].detail.reason, reason)
  }

  it('creates the user of a proven domain, and knows it again by its subject', async () => {
    const subject = newSubject({
      email: `ada@${usual.domain}`,
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
      preferred_username: 'ada.l',
    })
    const first = await signIn(usual.id, subject)
    assert.deepEqual(
      [first.user.userName, first.user.email, first.user.firstName, first.user.roles, first.user.tenantId],
      ['ada.l', `ada@${usual.domain}`, 'Ada', ['User'], usual.id],
    )
    provider.users.set(subject, { email: `other@${usual.domain}`, email_verified: true })
    const second = await signIn(usual.id, subject)
    assert.equal(second.user.id, first.user.id)
    assert.equal((await service.anonymous.withToken(second.accessToken).get('/api/auth/me')).status, 200)
  })

  it('links the user that has the address already, once', async () => {
    const email = `grace@${usual.domain}`
    const made = await usual.admin.post('/api/users', person(uniqueName('grace'), { email }))
    const subject = newSubject({ email: email.toUpperCase(), email_verified: true })
    assert.equal((await signIn(usual.id, subject)).user.id, made.body.id)
    await refused(usual, newSubject({ email, email_verified: true }), /linked with another/)
  })

  it('refuses addresses that are of another domain, not verified, or missing', async () => {
    const known = (await usual.admin.get('/api/users')).body.length
    await refused(usual, newSubject({ email: 'eve@other.example', email_verified: true }), /not proven/)
    await refused(usual, newSubject({ email: `eve@${usual.domain}`, email_verified: false }), /no verified/)
    await refused(usual, newSubject({ name: 'Eve' }), /no verified/)
    await refused(usual, null, /access_denied/, 'provider_refused')
    const { body } = await usual.admin.get('/api/users')
    assert.equal(body.length, known)
  })

  it('does not take a user name for an address', async () => {
    const name = `lovelace@${usual.domain}`
    await usual.admin.post(
      '/api/users',
      person(name, { email: 'private@elsewhere.example', roles: ['Admin'] }),
    )
    await refused(usual, newSubject({ email: name, email_verified: true }), /user name of another/)
  })

  it('does not create users unless it is to, and never signs in a deactivated one', async () => {
    const tenant = await newTenant({ createsUsers: false })
    const subject = newSubject({ email: `new@${tenant.domain}`, email_verified: true })
    await refused(tenant, subject, /no user/)
    await configure(tenant.admin)
    const { user } = await signIn(tenant.id, subject)
    await tenant.admin.put(`/api/users/${user.id}`, { isActive: false })
    await refused(tenant, subject, /deactivated/)
  })

  it('gives the roles of the groups at each sign-in', async () => {
    const groupRoles = { admins: ['Admin'], staff: ['User'], gone: ['Auditor'] }
    const role = { name: 'Auditor', permissions: ['order:read'] }
    const tenant = await service.newTenant()
    await tenant.admin.post('/api/roles', role)
    const domain = `${tenant.id}.example`
    await prove(tenant.admin, domain)
    assert.equal((await configure(tenant.admin, { groupRoles, defaultRoles: [] })).status, 200)
    const claims = { email: `ada@${domain}`, email_verified: true }
    const subject = newSubject({ ...claims, groups: ['admins', 'gone'] })
    const first = await signIn(tenant.id, subject)
    assert.deepEqual(first.user.roles, ['Admin', 'Auditor'])
    provider.users.set(subject, { ...claims, groups: ['staff'] })
    assert.deepEqual((await signIn(tenant.id, subject)).user.roles, ['User'])
    assert.equal((await service.anonymous.withToken(first.accessToken).get('/api/auth/me')).status, 401)
    provider.users.set(subject, { ...claims, groups: [] })
    await refused(tenant, subject, /No group/)
    provider.users.set(subject, { ...claims, groups: ['gone'] })
    await signIn(tenant.id, subject)
    await tenant.admin.put(`/api/users/${first.user.id}`, { roles: ['User'] })
    assert.equal((await tenant.admin.delete('/api/roles/Auditor')).status, 204)
    await refused(tenant, subject, /No group/)
  })

  it('gives its result to whoever has begun, in its tenant, once and for a minute', async () => {
    const subject = newSubject({ email: `result@${usual.domain}`, email_verified: true })
    const wrong = await visit(usual.id, subject)
    assert.equal((await exchange(usual.id, wrong, randomBytes(32).toString('base64url'))).status, 401)
    assert.equal((await exchange(usual.id, wrong)).status, 401)
    const elsewhere = await visit(usual.id, subject)
    assert.equal((await exchange(stranger.id, elsewhere)).status, 401)
    const many = await Promise.all(Array.from({ length: rivals }, () => exchange(usual.id, elsewhere)))
    assert.equal(many.filter(({ status }) => status === 200).length, 1)
    assert.equal(many.filter(({ status }) => status === 401).length, rivals - 1)
    const late = await visit(usual.id, subject)
    clock.advance({ seconds: 61 })
    assertError(await exchange(usual.id, late), 401, /expired/)
  })

  it('refuses a callback that is forged, reused, late, or for a provider that was replaced', async () => {
    const subject = newSubject({ email: `callback@${usual.domain}`, email_verified: true })
    const begin = async () => {
      provider.next = subject
      const browser = new Browser({ [baseUrl]: service.url })
      return (await browser.follow(startOf(usual.id), `${baseUrl}/api/auth/sso/callback`)).searchParams
    }
    const given = await begin()
    const call = (members: object, query = given) => {
      const all = new URLSearchParams({ ...Object.fromEntries(query), ...members })
      return service.anonymous.get(`/api/auth/sso/callback?${all}`)
    }
    const faultOf = ({ headers }: Answer) => /sign_in_error=(\w+)/.exec(headers.get('location') ?? '')?.[1]
    const { state = '' } = Object.fromEntries(given)
    for (const forged of ['', 'x', `${state}x`, `x${state}`, `${state}.x`, state.replace(/^..../, 'eyJ1')])
      assert.equal((await call({ state: forged })).status, 400, forged)
    for (const members of [{ code: 'made up' }, { code: '' }, { iss: 'https://evil.example' }])
      assert.equal(faultOf(await call(members, await begin())), 'provider_failed')
    assert.equal(faultOf(await call({})), undefined)
    assertError(await call({}), 400, 'state: was used: begin the sign-in again')
  })

  it('returns to this service and to allowed origins only', async () => {
    const begin = (target: string) => {
      const query = new URLSearchParams({ returnTo: target, codeChallenge })
      return service.anonymous.get(`/api/auth/sso/${usual.id}/start?${query}`)
    }
    for (const good of ['/account/sso', 'https://SHOP.example.:443/?a=1', `${baseUrl}/x`])
      assert.equal((await begin(good)).status, 303, good)
    const evil = 'evil.example'
    const foreign = [`https://${evil}/`, `//${evil}`, `/\\${evil}`, `\\\\${evil}`, 'javascript:alert(1)']
    const dressed = [`shop.example@${evil}`, 'user:pass@shop.example', `shop.example.${evil}`]
    for (const address of [...foreign, ...dressed.map((host) => `https://${host}/`)])
      assertError(await begin(address), 400, /returnTo/)
  })

  it('is required of everybody but the break-glass user, when the tenant says so', async () => {
    const tenant = await newTenant()
    const userName = uniqueName('admin')
    const glass = await tenant.admin.post('/api/users', person(userName, { roles: ['Admin'] }))
    const plain = uniqueName('plain')
    await tenant.admin.post('/api/users', person(plain))
    assertError(await configure(tenant.admin, { isRequired: true }), 400, /breakGlassUserId/)
    const foreign = await newTenant()
    const others = (await foreign.admin.get('/api/users')).body[0].id
    assertError(
      await configure(tenant.admin, { isRequired: true, breakGlassUserId: others }),
      400,
      /breakGlass/,
    )
    const set = await configure(tenant.admin, { isRequired: true, breakGlassUserId: glass.body.id })
    assert.equal(set.status, 200, set.text)
    await assert.rejects(service.signIn(plain, tenant.id), /403.*identity provider/)
    await assert.rejects(service.signIn(plain, tenant.id, `${password}x`), /401/)
    await service.signIn(userName, tenant.id)
    assert.equal((await tenant.admin.delete('/api/tenant/sso')).status, 204)
    await service.signIn(plain, tenant.id)
  })

  // This is the last case: the tokens of the administrators expire as well.
  it('ends after its hours, and with the provider', async () => {
    const tenant = await newTenant({ sessionHours: 1 })
    const callback = `${baseUrl}/api/auth/sso/callback`
    const begun = await new Browser({ [baseUrl]: service.url }).follow(startOf(tenant.id), callback)
    const subject = newSubject({ email: `ada@${tenant.domain}`, email_verified: true })
    const refresh = (token: string) => service.anonymous.post('/api/auth/refresh', { refreshToken: token })
    const removed = await newTenant()
    const other = newSubject({ email: `ada@${removed.domain}`, email_verified: true })
    const ended = await signIn(removed.id, other)
    await removed.admin.delete('/api/tenant/sso')
    assert.equal((await refresh(ended.refreshToken)).status, 401)
    const { refreshToken } = await signIn(tenant.id, subject)
    clock.advance({ minutes: 59 })
    assertError(await service.anonymous.get(`/api/auth/sso/callback${begun.search}`), 400, /expired/)
    const next = await refresh(refreshToken)
    assert.equal(next.status, 200)
    clock.advance({ minutes: 2 })
    assert.equal((await refresh(next.body.refreshToken)).status, 401)
  })
})
