/** Passkeys, with an authenticator in software. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { maxPasskeys } from '../../../src/identity/passkey/schema.ts'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { addApp, giveLogin, mfaToken, verify } from '../../support/authenticator-app.ts'
import type { Answer, Client } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type Lies, SoftwareAuthenticator } from '../../support/software-authenticator.ts'
import {
  baseDomain,
  type IdentityService,
  appUrl as origin,
  rivals,
  sharedIdentityService,
} from '../identity-service.ts'

const base = '/api/auth/passkeys'
const refusal = 'The passkey is not accepted. Begin the sign-in again.'

interface User {
  id: string
  userName: string
  email: string
  tenantId: string
  client: Client
}

onEitherDatabase('A passkey', (database) => {
  let service: IdentityService
  let clock: TestClock
  let mails: CollectedMails
  let tenant: TestTenant
  let other: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    mails = service.mails
    tenant = await service.newTenant()
    other = await service.newTenant()
  })
  after(() => service.stop())

  const newUser = async (tenantId = tenant.id): Promise<User> => {
    const { client: boss } = await service.signIn('boss', tenantId)
    const { body } = await boss.post('/api/users', person(uniqueName('ada')))
    return { ...body, tenantId, client: (await service.signIn(body.userName, tenantId)).client }
  }
  const create = async (
    { client }: User,
    device: SoftwareAuthenticator,
    lies: Lies = {},
  ): Promise<Answer> => {
    const options = await client.post(`${base}/creation-options`)
    assert.equal(options.status, 201, options.text)
    return client.post(base, { name: 'My laptop', response: device.create(options.body, lies) })
  }
  const newKey = async (user: User) => {
    const device = new SoftwareAuthenticator(origin)
    const added = await create(user, device)
    assert.equal(added.status, 201, added.text)
    return { device, ...added.body }
  }
  const send = (path: string, body: object, tenantId = tenant.id) =>
    service.anonymous.post(`${base}/${path}`, body, { ...fromAnyAddress(), 'x-tenant-id': tenantId })
  const request = async (body: object = {}) => {
    const options = await send('request-options', body)
    assert.equal(options.status, 200, options.text)
    return options.body
  }
  const methodsOf = async (answer: Answer): Promise<string[]> => {
    assert.equal(answer.status, 200, answer.text)
    const { body } = await service.anonymous.withToken(answer.body.accessToken).get('/api/auth/sessions')
    return body.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).methods
  }
  const signIn = async (device: SoftwareAuthenticator, lies: Lies = {}): Promise<Answer> =>
    send('sign-in', { response: device.get(await request(), lies) })

  it('is added, with recovery codes for the first factor, and tells the user', async () => {
    const user = await newUser()
    const { id, name, recoveryCodes, lastUsedAt } = await newKey(user)
    assert.deepEqual([name, recoveryCodes.length, lastUsedAt], ['My laptop', 10, null])
    const second = await newKey(user)
    assert.equal(second.recoveryCodes, null)
    const listed = (await user.client.get(base)).body
    assert.deepEqual(
      listed.map((each: { id: string }) => each.id),
      [id, second.id],
    )
    assert.equal((await user.client.get('/api/auth/mfa')).body.passkeys, 2)
    const told = () =>
      mails.list().filter(({ to, text }) => to === user.email && /passkey was added/.test(text))
    await eventually('the mails', soonMs, async () => told().length === 2)
    const { client } = await service.signIn('boss', tenant.id)
    const { body } = await client.get(`/api/audit?subjectId=${user.id}&action=passkey.added`)
    assert.equal(body.length, 2)
  })

  it('is refused with one row of the audit in a minute, however often', async () => {
    const { device } = await newKey(await newUser())
    const path = '/api/audit?action=session.refused'
    const list = async () => (await service.signIn('boss', tenant.id)).client.get(path)
    const count = async () => (await list()).text.split('"methods"').length
    const used = device.get(await request())
    assert.equal((await send('sign-in', { response: used })).status, 200)
    clock.advance({ minutes: 1 })
    const earlier = await count()
    for (const _ of 'again') assertError(await send('sign-in', { response: used }), 401, refusal)
    assert.equal((await count()) - earlier, 1)
    clock.advance({ minutes: 1 })
    await send('sign-in', { response: used })
    assert.equal((await count()) - earlier, 2)
  })

  it('signs in without a password, for both factors', async () => {
    const user = await newUser()
    const { device } = await newKey(user)
    const options = await request()
    assert.deepEqual(
      [options.rpId, options.userVerification, options.allowCredentials],
      [baseDomain, 'required', []],
    )
    const done = await send('sign-in', { response: device.get(options) })
    assert.deepEqual(await methodsOf(done), ['passkey'])
    assert.equal(done.body.user.id, user.id)
    const plain = await giveLogin(service, { userName: 'worker', tenantId: tenant.id })
    assert.deepEqual(Object.keys(done.body), Object.keys(plain.body))
    assert.notEqual((await user.client.get(base)).body[0].lastUsedAt, null)
  })

  it('is the second factor after a password, also without verification of the user', async () => {
    const user = await newUser()
    const { device, recoveryCodes } = await newKey(user)
    const asked = await giveLogin(service, user)
    assert.deepEqual([asked.status, asked.headers.get('x-mfa-methods')], [401, 'recovery,passkey'])
    const token = asked.headers.get('x-mfa-token') ?? ''
    const options = await request({ token })
    assert.equal(options.allowCredentials.length, 1)
    const done = await send('sign-in', { token, response: device.get(options, { isVerified: false }) })
    assert.deepEqual(await methodsOf(done), ['pwd', 'passkey'])
    const again = await send('request-options', { token })
    assertError(again, 401, /expired/)
    const next = await mfaToken(service, user)
    assert.equal((await verify(service, tenant.id, { token: next, code: recoveryCodes[0] })).status, 200)
  })

  it('is of one user, and does not complete the sign-in of another', async () => {
    const [user, victim] = [await newUser(), await newUser()]
    const [{ device }] = [await newKey(user), await newKey(victim)]
    const token = await mfaToken(service, victim)
    assertError(
      await send('sign-in', { token, response: device.get(await request({ token })) }),
      401,
      refusal,
    )
    // A challenge of one way to sign in is none of the other.
    assertError(await send('sign-in', { token, response: device.get(await request()) }), 401, refusal)
    const own = await mfaToken(service, user)
    assertError(await send('sign-in', { response: device.get(await request({ token: own })) }), 401, refusal)
  })

  const allLies: [string, Lies][] = [
    ['another origin', { origin: `${origin}.evil.example` }],
    ['another host', { rpId: 'evil.example' }],
    ['a challenge that nobody has given', { challenge: 'pq0Zb3pq0Zb3pq0Zb3pq0Zb3pq0Zb3pq0Zb3pq0Zb3p' }],
    ['another ceremony', { type: 'webauthn.create' }],
    ['a user who was not verified', { isVerified: false }],
    [
      'another user',
      { userHandle: Buffer.from('0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11').toString('base64url') },
    ],
  ]
  it('is refused with whatever is not as it should be', async () => {
    const user = await newUser()
    const { device } = await newKey(user)
    for (const [what, lie] of allLies) {
      const answer = await signIn(device, lie)
      assert.equal(answer.status, 401, `${what}: ${answer.text}`)
      assertError(answer, 401, refusal)
    }
    const options = await request()
    const response = device.get(options)
    const signature = `${response.response.signature.slice(0, -4)}AAAA`
    const forged = { ...response, response: { ...response.response, signature } }
    assertError(await send('sign-in', { response: forged }), 401, refusal)
    assertError(await send('sign-in', { response: { ...response, id: 'AAAA', rawId: 'AAAA' } }), 401, refusal)
    assertError(await send('sign-in', { response: { ...response, id: 'no base64url!' } }), 400)
    assert.equal((await signIn(device)).status, 200)
  })

  it('has challenges that work once, in one tenant, for five minutes', async () => {
    const user = await newUser()
    const { device } = await newKey(user)
    const response = device.get(await request())
    const answers = await Promise.all(Array.from({ length: rivals }, () => send('sign-in', { response })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) assertError(answer, 401, refusal)
    assertError(await send('sign-in', { response: device.get(await request()) }, other.id), 401, refusal)
    const late = await request()
    clock.advance({ minutes: 5 })
    assertError(await send('sign-in', { response: device.get(late) }), 401, refusal)
  })

  it('is refused when its counter goes back, as that of a copy does', async () => {
    const user = await newUser()
    const { device } = await newKey(user)
    assert.equal((await signIn(device, { counter: 7 })).status, 200)
    for (const counter of [7, 6, 0]) assertError(await signIn(device, { counter }), 401, refusal)
    assert.equal((await signIn(device, { counter: 8 })).status, 200)
  })

  it('is not added with an answer of elsewhere, of another user, or twice', async () => {
    const [user, stranger] = [await newUser(), await newUser()]
    const device = () => new SoftwareAuthenticator(origin)
    for (const lie of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { challenge: 'AAAA' },
    ])
      assertError(await create(user, device(), lie), 400, /^response: is not valid/)
    const { body: options } = await stranger.client.post(`${base}/creation-options`)
    const theirs = { name: 'Mine', response: device().create(options) }
    assertError(await user.client.post(base, theirs), 400, /^response: is not valid/)
    const { body: own } = await user.client.post(`${base}/creation-options`)
    const mine = { name: 'Mine', response: device().create(own) }
    const answers = await Promise.all(Array.from({ length: rivals }, () => user.client.post(base, mine)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal((await user.client.get(base)).body.length, 1)
  })

  it('is renamed and removed by its user alone', async () => {
    const [user, stranger] = [await newUser(), await newUser()]
    const { id, device } = await newKey(user)
    for (const client of [stranger.client, (await service.signIn('boss', other.id)).client]) {
      assertError(await client.put(`${base}/${id}`, { name: 'Mine' }), 404)
      assertError(await client.delete(`${base}/${id}`), 404)
    }
    assert.equal((await user.client.put(`${base}/${id}`, { name: 'Phone' })).body.name, 'Phone')
    assert.equal((await user.client.delete(`${base}/${id}`)).status, 204)
    assertError(await signIn(device), 401, refusal)
    await service.signIn(user.userName, tenant.id)
    assert.equal((await user.client.get('/api/auth/mfa')).body.recoveryCodesLeft, 0)
  })

  it('is one of a few', async () => {
    const user = await newUser()
    const { id } = await newKey(user)
    const columns = 'tenant_id, account_id, public_key, counter, transports, name, created_at'
    for (let count = 1; count < maxPasskeys; count++) {
      const copy = `SELECT '${crypto.randomUUID()}', '${count}-${id}', ${columns} FROM passkey WHERE id = '${id}'`
      const text = `INSERT INTO passkey (id, credential_id, ${columns}) ${copy.replace(/SELECT '([^']+)'/, database === 'postgres' ? "SELECT '$1'::uuid" : "SELECT '$1'")}`
      await inspect(service.config.databaseUrl, text)
    }
    assertError(await user.client.post(`${base}/creation-options`), 400, /at most 20 passkeys/)
  })

  it('remains required as the last factor where the tenant requires one, and signs in there alone', async () => {
    const user = await newUser(other.id)
    const { client } = await service.signIn('boss', other.id)
    const { id, device } = await newKey(user)
    await client.put('/api/tenant/settings', { requireSecondFactor: true })
    assertError(await user.client.delete(`${base}/${id}`), 400, /requires a second factor/)
    const { body } = await send('request-options', {}, other.id)
    assert.equal((await send('sign-in', { response: device.get(body) }, other.id)).status, 200)
    await addApp(user.client, clock)
    assert.equal((await user.client.delete(`${base}/${id}`)).status, 204)
    await client.put('/api/tenant/settings', { requireSecondFactor: null })
  })

  it('is refused for a user who was deactivated, and removed by an administrator for one who has lost it', async () => {
    const user = await newUser()
    const { device } = await newKey(user)
    const { client } = await service.signIn('boss', tenant.id)
    await client.put(`/api/users/${user.id}`, { isActive: false })
    assertError(await signIn(device), 401, refusal)
    await client.put(`/api/users/${user.id}`, { isActive: true })
    assert.equal((await client.delete(`/api/users/${user.id}/mfa`)).status, 204)
    assertError(await signIn(device), 401, refusal)
    await service.signIn(user.userName, tenant.id)
  })

  it('is not changed without a recent sign-in', async () => {
    const user = await newUser()
    const { id } = await newKey(user)
    clock.advance({ minutes: 11 })
    for (const answer of [
      await user.client.post(`${base}/creation-options`),
      await user.client.put(`${base}/${id}`, { name: 'Mine' }),
      await user.client.delete(`${base}/${id}`),
    ])
      assert.deepEqual([answer.status, answer.headers.get('x-step-up')], [403, 'required'])
  })
})
