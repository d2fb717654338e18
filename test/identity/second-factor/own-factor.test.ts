/** What users and administrators do with second factors. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import {
  AuthenticatorApp,
  addApp,
  type FactorUser,
  giveLogin,
  mfaToken,
  newFactorUser,
  verify,
} from '../../support/authenticator-app.ts'
import type { Client } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

const base = '/api/auth/mfa'

onEitherDatabase('A second factor', (database) => {
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

  const asBoss = async (tenantId = tenant.id): Promise<Client> =>
    (await service.signIn('boss', tenantId)).client
  const newUser = (members = {}): Promise<FactorUser> => newFactorUser(service, clock, tenant.id, members)
  const newPlainUser = async () => {
    const { body } = await (await asBoss()).post('/api/users', person(uniqueName('ada')))
    return { ...body, client: (await service.signIn(body.userName, tenant.id)).client }
  }
  const isTold = (email: string, words: RegExp) =>
    eventually('the mail', soonMs, async () =>
      mails.list().some(({ to, text }) => to === email && words.test(text)),
    )
  const actionsAbout = async (userId: string): Promise<string[]> => {
    const { body } = await (await asBoss()).get(`/api/audit?subjectId=${userId}`)
    return body.map(({ action }: { action: string }) => action)
  }

  it('is added with a code of the app, and shown', async () => {
    const { id, client, email, userName } = await newPlainUser()
    const none = { isRequired: false, totpAddedAt: null, recoveryCodesLeft: 0, passkeys: 0 }
    assert.deepEqual((await client.get(base)).body, none)
    const begun = await client.post(`${base}/totp`)
    assert.match(
      begun.body.url,
      new RegExp(`^otpauth://totp/${tenant.id}:${userName}\\?secret=${begun.body.secret}&`),
    )
    assert.deepEqual((await client.get(base)).body, none)
    assert.equal((await giveLogin(service, { userName, tenantId: tenant.id })).status, 200)
    const app = new AuthenticatorApp(begun.body.secret, clock)
    const confirm = (code: string) => client.post(`${base}/totp/confirm`, { code })
    assertError(await confirm(app.wrongCode()), 400, /^code: is wrong/)
    assertError(await confirm('no code'), 400, /^code: is wrong/)
    const used = app.code()
    const { status, body } = await confirm(used.replace(/^.../, '$& '))
    assert.equal(status, 200)
    assert.equal(new Set(body.recoveryCodes).size, 10)
    for (const code of body.recoveryCodes) assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    assertError(await confirm(used), 400, /^code/)
    const state = (await client.get(base)).body
    assert.deepEqual([state.recoveryCodesLeft, typeof state.totpAddedAt], [10, 'string'])
    const token = await mfaToken(service, { userName, tenantId: tenant.id })
    assertError(await verify(service, tenant.id, { token, code: used }), 401)
    await isTold(email, /authenticator app was added/)
    assert.ok((await actionsAbout(id)).includes('factor.added'))
  })

  it('is confirmed once by many at once, and not with a secret of yesterday', async () => {
    const { client } = await newPlainUser()
    const begin = async () => new AuthenticatorApp((await client.post(`${base}/totp`)).body.secret, clock)
    const first = await begin()
    const second = await begin()
    assertError(await client.post(`${base}/totp/confirm`, { code: first.code() }), 400)
    const answers = await Promise.all(
      Array.from({ length: rivals }, () => client.post(`${base}/totp/confirm`, { code: second.code() })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const user = await newPlainUser()
    const late = new AuthenticatorApp((await user.client.post(`${base}/totp`)).body.secret, clock)
    clock.advance({ minutes: 31 })
    const { client: again } = await service.signIn(user.userName, tenant.id)
    assertError(await again.post(`${base}/totp/confirm`, { code: late.code() }), 400, /expired/)
  })

  it('is removed, with its recovery codes', async () => {
    const user = await newUser()
    assert.equal((await user.client.delete(`${base}/totp`)).status, 204)
    assertError(await user.client.delete(`${base}/totp`), 404)
    assertError(await user.client.post(`${base}/recovery-codes`), 400)
    assert.equal((await user.client.get(base)).body.recoveryCodesLeft, 0)
    await service.signIn(user.userName, tenant.id)
    await isTold(user.email, /authenticator app was removed/)
    assert.ok((await actionsAbout(user.id)).includes('factor.removed'))
  })

  it('has recovery codes that new ones replace', async () => {
    const user = await newUser()
    const { body } = await user.client.post(`${base}/recovery-codes`)
    assert.equal(body.recoveryCodes.length, 10)
    const give = async (code = '') =>
      verify(service, tenant.id, { token: await mfaToken(service, user), code })
    assertError(await give(user.recoveryCodes[0]), 401)
    assert.equal((await give(body.recoveryCodes[0])).status, 200)
    await isTold(user.email, /New recovery codes/)
    assert.ok((await actionsAbout(user.id)).includes('recoveryCode.renewed'))
  })

  it('is not changed without a recent sign-in, nor by an API key', async () => {
    const user = await newUser({ roles: ['Admin'] })
    const key = await user.client.post('/api/api-keys', { name: 'Key', permissions: ['user:write'] })
    const byKey = service.anonymous.withToken(key.body.key)
    const victim = await newUser()
    const changes: ['post' | 'delete', string, object?][] = [
      ['post', `${base}/totp`],
      ['post', `${base}/totp/confirm`, { code: '123456' }],
      ['post', `${base}/recovery-codes`],
      ['delete', `${base}/totp`],
      ['delete', `/api/users/${victim.id}/mfa`],
    ]
    const send = (client: Client, [method, path, body]: (typeof changes)[number]) =>
      method === 'post' ? client.post(path, body) : client.delete(path)
    for (const change of changes) assertError(await send(byKey, change), 403, /signed-in user/)
    clock.advance({ minutes: 11 })
    for (const change of changes) {
      const answer = await send(user.client, change)
      assertError(answer, 403)
      assert.equal(answer.headers.get('x-step-up'), 'required', change[1])
    }
  })

  it('of the host’s administrator is not changed in another tenant', async () => {
    const { client } = await service.signIn('admin')
    assertError(await client.with({ 'x-tenant-id': tenant.id }).post(`${base}/totp`), 403)
    assert.equal((await client.post(`${base}/totp`)).status, 201)
  })

  it('stays when the password is reset or changed', async () => {
    const user = await newUser()
    const headers = () => ({ ...fromAnyAddress(), 'x-tenant-id': tenant.id })
    await service.anonymous.post('/api/auth/forgot-password', { userName: user.userName }, headers())
    const sent = () =>
      mails.list().find(({ to, template }) => to === user.email && template === 'account.resetPassword')
    await eventually('the mail', soonMs, async () => sent() !== undefined)
    const token = mailedToken(sent()?.text)
    const reset = { token, password: 'Forgotten@789' }
    assert.equal((await service.anonymous.post('/api/auth/reset-password', reset, headers())).status, 200)
    const answer = await giveLogin(service, { ...user, password: 'Forgotten@789' })
    assert.deepEqual([answer.status, answer.headers.get('x-mfa-methods')], [401, 'totp,recovery'])
  })

  it('is removed by an administrator for a user who has lost it', async () => {
    const user = await newUser()
    const boss = await asBoss()
    assertError(await (await asBoss(other.id)).delete(`/api/users/${user.id}/mfa`), 404)
    assertError(await user.client.delete(`/api/users/${user.id}/mfa`), 403)
    assert.equal((await boss.delete(`/api/users/${user.id}/mfa`)).status, 204)
    assertError(await boss.delete(`/api/users/${user.id}/mfa`), 404, 'The user has no second factor.')
    await service.signIn(user.userName, tenant.id)
    await isTold(user.email, /administrator removed/)
    assert.ok((await actionsAbout(user.id)).includes('factor.reset'))
  })

  it('of somebody with more rights is not removed', async () => {
    const boss = await asBoss()
    const role = uniqueName('Helpdesk')
    await boss.post('/api/roles', { name: role, permissions: ['user:read', 'user:write'] })
    const admin = await newUser({ roles: ['Admin'] })
    const made = await boss.post('/api/users', person(uniqueName('desk'), { roles: [role] }))
    const { client } = await service.signIn(made.body.userName, tenant.id)
    assertError(await client.delete(`/api/users/${admin.id}/mfa`), 403, /what you do not have/)
  })

  it('goes with its user', async () => {
    const user = await newUser()
    assertError(
      await verify(service, tenant.id, { token: await mfaToken(service, user), code: '000000' }),
      401,
    )
    assert.equal((await (await asBoss()).delete(`/api/users/${user.id}`)).status, 204)
    for (const table of ['totp', 'recovery_code', 'wrong_code']) {
      const text = `SELECT count(*) AS n FROM ${table} WHERE account_id = '${user.id}'`
      assert.equal(Number((await inspect(service.config.databaseUrl, text))[0]?.['n']), 0, table)
    }
  })

  it('is required of all users where the tenant says so', async () => {
    const strict = other
    const boss = await asBoss(strict.id)
    const setting = await boss.put('/api/tenant/settings', { requireSecondFactor: true })
    assert.equal(setting.status, 200, setting.text)
    const who = { userName: 'worker', tenantId: strict.id }
    const answer = await giveLogin(service, who)
    assert.deepEqual([answer.status, answer.headers.get('x-mfa-methods')], [401, 'enroll'])
    const token = answer.headers.get('x-mfa-token') ?? ''
    const send = (path: string, body: object, tenantId = strict.id) =>
      service.anonymous.post(`${base}/${path}`, body, { ...fromAnyAddress(), 'x-tenant-id': tenantId })
    assertError(await verify(service, strict.id, { token, code: '123456' }), 401, /expired/)
    assertError(await send('enroll', { token }, tenant.id), 401, /expired/)
    assertError(await send('enroll', { token: `${token}x` }), 401, /expired/)
    const begun = await send('enroll', { token })
    assert.equal(begun.status, 200, begun.text)
    const app = new AuthenticatorApp(begun.body.secret, clock)
    assertError(await send('enroll/confirm', { token, code: app.wrongCode() }), 400, /^code/)
    const earlier = await mfaTokenOf(who)
    const done = await send('enroll/confirm', { token, code: app.code() })
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.recoveryCodes.length, 10)
    const client = service.anonymous.withToken(done.body.accessToken)
    assert.deepEqual((await client.get('/api/auth/sessions')).body[0].methods, ['pwd', 'otp'])
    assert.equal((await client.get(base)).body.isRequired, true)
    // Neither the token that was used nor an earlier one adds another app.
    for (const used of [token, earlier]) assertError(await send('enroll', { token: used }), 401, /expired/)
    for (const used of [token, earlier])
      assertError(await send('enroll/confirm', { token: used, code: app.nextCode() }), 401, /expired/)
    assertError(await client.delete(`${base}/totp`), 400, /requires a second factor/)
    const { app: next } = await addApp(client, clock)
    const again = await verify(service, strict.id, { token: await mfaTokenOf(who), code: next.nextCode() })
    assert.equal(again.status, 200)
  })

  const mfaTokenOf = (who: { userName: string; tenantId: string }) => mfaToken(service, who)
})
