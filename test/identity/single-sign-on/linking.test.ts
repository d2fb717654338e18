/** Whoever had an account with the address of a user of the provider gets nothing of what the provider gives. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { addApp, giveLogin } from '../../support/authenticator-app.ts'
import type { Answer, Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from '../../support/identity-provider.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { type NameServer, startNameServer } from '../../support/name-server.ts'
import {
  password,
  person,
  type SignedIn,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../support/service.ts'
import { Browser } from './browser.ts'

const baseUrl = 'http://app.localhost'
const returnTo = `${baseUrl}/account/sso`
const groupRoles = { directors: ['Admin'], staff: ['User'] }

onEitherDatabase('A first single sign-on', (database) => {
  const clock = new TestClock()
  const mails = new CollectedMails()
  const records = new Map<string, string[]>()
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  let names: NameServer
  let service: TestService
  let provider: IdentityProvider
  let tenant: TestTenant
  /** May create and change users, and is no administrator. */
  let maker: Client
  before(async () => {
    names = await startNameServer(({ name }) => records.get(name) ?? 'missing')
    const receivers = { nameServers: [names.address] }
    const settings = { BASE_URL: baseUrl }
    service = await startService(database, settings, { clock: clock.now, mailTransport: mails, receivers })
    provider = await startIdentityProvider(baseUrl)
    tenant = await service.newTenant(database === 'sqlite' ? { connectionString: 'sqlite:own.db' } : {})
    await prove(`${tenant.id}.example`)
    await configure({})
    await tenant.admin.post('/api/roles', { name: 'Maker', permissions: ['user:read', 'user:write'] })
    await tenant.admin.post('/api/users', person('maker', { roles: ['User', 'Maker'] }))
    maker = (await service.signIn('maker', tenant.id)).client
  })
  after(async () => {
    await provider.close()
    await service.stop()
    names.close()
  })

  const prove = async (domain: string): Promise<void> => {
    const added = await tenant.admin.post('/api/tenant/sso/domains', { domain })
    records.set(added.body.recordName, [added.body.recordValue])
    await tenant.admin.post(`/api/tenant/sso/domains/${domain}/verify`)
  }

  const configure = async (members: object): Promise<void> => {
    const input = { issuer: provider.issuer, clientId, clientSecret, groupRoles, ...members }
    const { status, text } = await tenant.admin.put('/api/tenant/sso', input)
    assert.equal(status, 200, text)
  }

  const newName = () => {
    const userName = uniqueName('user')
    return { userName, email: `${userName}@${tenant.id}.example` }
  }

  const visit = (subject: string, email: string, groups: string[]): Promise<URL> => {
    provider.users.set(subject, { email, email_verified: true, groups })
    provider.next = subject
    const query = new URLSearchParams({ returnTo, codeChallenge })
    const start = `${baseUrl}/api/auth/sso/${tenant.id}/start?${query}`
    return new Browser({ [baseUrl]: service.url }).follow(start, returnTo)
  }

  const signInAtProvider = async (subject: string, email: string, groups: string[]) => {
    const url = await visit(subject, email, groups)
    assert.equal(url.searchParams.get('sign_in_error'), null)
    const code = url.searchParams.get('sign_in_code')
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    const answer = await service.anonymous.post('/api/auth/token', { code, codeVerifier }, headers)
    assert.equal(answer.status, 200, answer.text)
    return { user: answer.body.user, client: service.anonymous.withToken(answer.body.accessToken) }
  }

  const logIn = (userName: string, text = password): Promise<Answer> =>
    giveLogin(service, { userName, tenantId: tenant.id, password: text })

  const mailTo = async (to: string, template: string): Promise<string> => {
    const find = () => mails.list().findLast((mail) => mail.to === to && mail.template === template)
    await eventually(template, soonMs, async () => find() !== undefined)
    return find()?.text ?? ''
  }

  const isOver = async ({ client, refreshToken }: SignedIn): Promise<boolean> =>
    (await client.get('/api/auth/me')).status === 401 &&
    (await service.anonymous.post('/api/auth/refresh', { refreshToken })).status === 401

  it('finds the user whose domain is written in another script', async () => {
    await prove('xn--bcher-kva.example')
    const { userName } = newName()
    const made = await tenant.admin.post(
      '/api/users',
      person(userName, { email: `${userName}@bücher.example` }),
    )
    const { user } = await signInAtProvider(userName, `${userName}@xn--bcher-kva.example`, ['staff'])
    assert.equal(user.id, made.body.id)
    const other = newName().userName
    const created = await signInAtProvider(other, `${other}@BÜCHER.example`, ['staff'])
    assert.equal(created.user.email, `${other}@BÜCHER.example`)
  })

  it('leaves nothing to whoever has made an account with the address of a future director', async () => {
    const { userName, email } = newName()
    const made = await maker.post('/api/users', person(userName, { email }))
    assert.equal(made.status, 201, made.text)
    const planted = await service.signIn(userName, tenant.id)
    await addApp(planted.client, clock)
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    await service.anonymous.post('/api/auth/forgot-password', { userName }, headers)
    const token = mailedToken(await mailTo(email, 'account.resetPassword'))

    const { user, client } = await signInAtProvider(uniqueName('director'), email, ['directors'])
    assert.deepEqual([user.id, user.roles], [made.body.id, ['Admin']])
    assertError(await logIn(userName), 401, /password is wrong/)
    assert.equal(await isOver(planted), true)
    const factors = (await client.get('/api/auth/mfa')).body
    assert.deepEqual([factors.totpAddedAt, factors.recoveryCodesLeft], [null, 0])
    const reset = await service.anonymous.post(
      '/api/auth/reset-password',
      { token, password: 'Other@456' },
      headers,
    )
    assert.equal(reset.status, 400)
    assert.equal((await client.get('/api/auth/me')).body.emailVerified, true)
    const [record] = (await tenant.admin.get('/api/audit?action=sso.credentialsRemoved&limit=1')).body
    assert.deepEqual([record.subjectId, record.detail.methods], [user.id, ['password', 'totp', 'recovery']])
    assert.match(await mailTo(email, 'account.credentialsRemoved'), /password/)
  })

  it('pauses what whoever has made the account has subscribed to and bound', async () => {
    const { userName, email } = newName()
    const made = await maker.post('/api/users', person(userName, { email }))
    const planted = (await service.signIn(userName, tenant.id)).client
    const subscriptions = '/api/webhooks/subscriptions'
    const rules = '/api/webhooks/rules'
    const receiver = { url: 'https://example.com/planted', events: ['*'] }
    const rule = { provider: 'stripe', eventType: '*', action: 'order.pay' }
    const subscribed = await planted.post(subscriptions, receiver)
    const bound = await planted.post(rules, rule)
    assert.deepEqual([subscribed.status, bound.status], [201, 201])
    const kept = await tenant.user.post(subscriptions, receiver)
    const { client } = await signInAtProvider(uniqueName('director'), email, ['directors'])
    const { body } = await client.get(`${subscriptions}/${subscribed.body.id}`)
    assert.deepEqual([body.isActive, body.owner.id], [false, made.body.id])
    const found = (await client.get(rules)).body.find(({ id }: { id: string }) => id === bound.body.id)
    assert.equal(found.isActive, false)
    assert.equal((await client.get(`${subscriptions}/${kept.body.id}`)).body.isActive, true)
    assert.equal((await client.patch(`${subscriptions}/${body.id}`, { isActive: true })).status, 200)
  })

  it('ends the API key with which whoever has made the account acts for it', async () => {
    const { userName, email } = newName()
    await tenant.admin.post('/api/roles', { name: 'KeyMaker', permissions: ['apiKey:write', 'product:read'] })
    const { body: made } = await tenant.admin.post(
      '/api/users',
      person(userName, { email, roles: ['KeyMaker'] }),
    )
    const planted = (await service.signIn(userName, tenant.id)).client
    const input = { name: 'planted', permissions: ['product:read'], actsFor: made.id }
    const { body: key, status } = await planted.post('/api/api-keys', input)
    assert.equal(status, 201)
    const caller = service.anonymous.with({ 'x-api-key': key.key })
    assert.equal((await caller.get('/api/products')).status, 200)
    await signInAtProvider(uniqueName('director'), email, ['directors'])
    assertError(await caller.get('/api/products'), 401)
  })

  it('leaves nothing to whoever has moved an account to that address', async () => {
    const { userName, email } = newName()
    const made = await maker.post('/api/users', person(userName))
    const planted = await service.signIn(userName, tenant.id)
    assert.equal((await maker.put(`/api/users/${made.body.id}`, { email })).status, 200)
    const { user } = await signInAtProvider(uniqueName('director'), email, ['directors'])
    assert.equal(user.id, made.body.id)
    assert.equal((await logIn(userName)).status, 401)
    assert.equal(await isOver(planted), true)
  })

  const invited = async () => {
    const { userName, email } = newName()
    assert.equal((await tenant.admin.post('/api/invitations', { email })).status, 201)
    const token = mailedToken(await mailTo(email, 'account.invitation'))
    const acceptance = { token, userName, password, firstName: 'Ada', lastName: 'Lovelace' }
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    const { status, body } = await service.anonymous.post('/api/invitations/accept', acceptance, headers)
    assert.equal(status, 201)
    return { id: body.id, userName, email }
  }

  it('creates a user once, when several are simultaneous', async () => {
    const [subject, { email }] = [uniqueName('staff'), newName()]
    const urls = await Promise.all(Array.from({ length: 4 }, () => visit(subject, email, ['staff'])))
    assert.deepEqual(
      urls.map((url) => url.searchParams.get('sign_in_error')),
      [null, null, null, null],
    )
  })

  it('leaves a user whose address is verified as it is', async () => {
    const { id, userName, email } = await invited()
    const session = await service.signIn(userName, tenant.id)
    const { user } = await signInAtProvider(uniqueName('staff'), email, ['staff'])
    assert.equal(user.id, id)
    assert.equal((await logIn(userName)).status, 200)
    assert.equal((await session.client.get('/api/auth/me')).status, 200)
  })

  it('and each later one takes away what others may know, when the provider makes an administrator', async () => {
    const { id, userName, email } = await invited()
    const subject = uniqueName('staff')
    await signInAtProvider(subject, email, ['staff'])
    assert.equal((await maker.put(`/api/users/${id}`, { password: 'Known@456' })).status, 200)
    assert.equal((await logIn(userName, 'Known@456')).status, 200)
    const { user } = await signInAtProvider(subject, email, ['directors'])
    assert.deepEqual([user.id, user.roles], [id, ['Admin']])
    assert.equal((await logIn(userName, 'Known@456')).status, 401)
  })

  it('does not link the break-glass user before its address is verified', async () => {
    const { userName, email } = newName()
    const glass = await tenant.admin.post('/api/users', person(userName, { email, roles: ['Admin'] }))
    await configure({ breakGlassUserId: glass.body.id })
    const url = await visit(uniqueName('director'), email, ['directors'])
    assert.equal(url.searchParams.get('sign_in_error'), 'not_allowed')
    const [record] = (await tenant.admin.get('/api/audit?action=sso.refused&limit=1')).body
    assert.match(record.detail.reason, /not verified/)
    assert.equal((await logIn(userName)).status, 200)
    await configure({})
  })

  it('finds no address verified by a reset while a second factor of somebody else is there', async () => {
    const { userName, email } = newName()
    await maker.post('/api/users', person(userName, { email }))
    await addApp((await service.signIn(userName, tenant.id)).client, clock)
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    await service.anonymous.post('/api/auth/forgot-password', { userName }, headers)
    const token = mailedToken(await mailTo(email, 'account.resetPassword'))
    const reset = { token, password: 'Other@456' }
    assert.equal((await service.anonymous.post('/api/auth/reset-password', reset, headers)).status, 200)
    const { client } = await signInAtProvider(uniqueName('staff'), email, ['staff'])
    assert.equal((await client.get('/api/auth/mfa')).body.totpAddedAt, null)
  })

  it('is not prepared by an invitation: an account with the address keeps it from being accepted', async () => {
    const { userName, email } = newName()
    assert.equal((await tenant.admin.post('/api/invitations', { email, roles: ['Admin'] })).status, 201)
    const token = mailedToken(await mailTo(email, 'account.invitation'))
    await maker.post('/api/users', person(userName, { email }))
    const acceptance = { token, userName: uniqueName('other'), password, firstName: 'Ada', lastName: 'L' }
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    const refused = await service.anonymous.post('/api/invitations/accept', acceptance, headers)
    assertError(refused, 400, /email: is taken/)
    const { body } = await tenant.admin.get(`/api/users/by-username/${userName}`)
    assert.deepEqual(body.roles, ['User'])
  })
})
