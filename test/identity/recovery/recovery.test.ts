/** Forgotten passwords. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { tenantContext } from '../../../src/core/create-context.ts'
import { lookUpTenant } from '../../../src/core/tenant/directory.ts'
import { accountPages } from '../../../src/identity/account-link.ts'
import { PasswordRecovery } from '../../../src/identity/recovery/recovery.ts'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'
import { storeUnmailableAddress } from '../unmailable-address.ts'

onEitherDatabase('A forgotten password', (database) => {
  let service: IdentityService
  let clock: TestClock
  let mails: CollectedMails
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    mails = service.mails
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const newUser = async (): Promise<{ id: string; userName: string; email: string }> =>
    (await tenant.admin.post('/api/users', person(uniqueName('ada')))).body

  const forget = (userName: string, tenantId = tenant.id) =>
    service.anonymous.post(
      '/api/auth/forgot-password',
      { userName },
      { ...fromAnyAddress(), 'x-tenant-id': tenantId },
    )

  const reset = (token: string, password: string, tenantId = tenant.id) =>
    service.anonymous.post(
      '/api/auth/reset-password',
      { token, password },
      { ...fromAnyAddress(), 'x-tenant-id': tenantId },
    )

  const mailsTo = (email: string, template = 'account.resetPassword') =>
    mails.list().filter((mail) => mail.to === email && mail.template === template)

  /** @returns the token of the newest mail */
  const tokenFor = async ({ userName, email }: { userName: string; email: string }): Promise<string> => {
    const earlier = mailsTo(email).length
    assert.equal((await forget(userName)).status, 202)
    await eventually('the mail', soonMs, async () => mailsTo(email).length > earlier)
    return mailedToken(mailsTo(email).at(-1)?.text)
  }

  it('is under way until its mail is stored, for which a stop waits', async () => {
    const user = await newUser()
    const recovery = new PasswordRecovery(accountPages(service.config))
    const operator = await service.service.operator()
    const { shared } = operator
    const ofUser = await lookUpTenant(operator, tenant.id)
    assert.ok(ofUser !== null)
    recovery.request(tenantContext(shared, ofUser, shared.catalogueDatabase), user)
    await recovery.close()
    await service.service.queueWorkers.drain()
    assert.equal(mailsTo(user.email).length, 1)
  })

  it('is set anew by a mail, which ends every session of the user', async () => {
    const user = await newUser()
    const { client, refreshToken } = await service.signIn(user.userName, tenant.id)
    const token = await tokenFor({ ...user, userName: user.email })
    const done = await reset(token, 'Forgotten@789')
    assert.equal(done.status, 200, done.text)
    await service.signIn(user.userName, tenant.id, 'Forgotten@789')
    await assert.rejects(service.signIn(user.userName, tenant.id), /401/)
    await eventually(
      'the end of the session',
      soonMs,
      async () => (await client.get('/api/auth/me')).status === 401,
    )
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 401)
    await eventually(
      'the notice',
      soonMs,
      async () => mailsTo(user.email, 'account.passwordChanged').length === 1,
    )
    const { body } = await tenant.admin.get(`/api/audit?subjectId=${user.id}`)
    const actions = body.map(({ action }: { action: string }) => action)
    assert.ok(['user.passwordForgotten', 'user.passwordReset'].every((action) => actions.includes(action)))
  })

  it('has a token that works once, also when many use it at once', async () => {
    const token = await tokenFor(await newUser())
    const answers = await Promise.all(Array.from({ length: rivals }, () => reset(token, 'Forgotten@789')))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const others = answers.filter(({ status }) => status !== 200)
    for (const answer of others) assertError(answer, 400, /^token: is not valid/)
  })

  it('has a token that is of one tenant, and of the newest mail, and expires', async () => {
    const user = await newUser()
    const older = await tokenFor(user)
    const newer = await tokenFor(user)
    assertError(await reset(older, 'Forgotten@789'), 400, /^token/)
    const other = await service.newTenant()
    assertError(await reset(newer, 'Forgotten@789', other.id), 400, /^token/)
    assertError(await reset(`${newer}x`, 'Forgotten@789'), 400, /^token/)
    assertError(await reset(newer, 'weak'), 400, /^password/)
    clock.advance({ seconds: 3601 })
    assertError(await reset(newer, 'Forgotten@789'), 400, /^token/)
    clock.advance({ seconds: -3601 })
  })

  it('has no token any more when the address of the user has changed', async () => {
    const user = await newUser()
    const token = await tokenFor(user)
    await tenant.admin.put(`/api/users/${user.id}`, { email: `${uniqueName('new')}@example.com` })
    assertError(await reset(token, 'Forgotten@789'), 400, /^token/)
  })

  it('is answered alike for users that do not exist or are deactivated, who get no mail', async () => {
    const user = await newUser()
    const away = await newUser()
    await tenant.admin.put(`/api/users/${away.id}`, { isActive: false })
    const answers = await Promise.all(['nobody', away.userName, user.userName].map((name) => forget(name)))
    await eventually('the mail', soonMs, async () => mailsTo(user.email).length === 1)
    assert.equal(mailsTo(away.email).length, 0)
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal(answers[0]?.status, 202)
  })

  it('causes few mails to one address', async () => {
    const user = await newUser()
    for (let count = 0; count < 8; count++) assert.equal((await forget(user.userName)).status, 202)
    const asked = async () => {
      const { body } = await tenant.admin.get(`/api/audit?subjectId=${user.id}&action=user.passwordForgotten`)
      return body.length
    }
    await eventually('all requests', soonMs, async () => (await asked()) === 8)
    await service.service.queueWorkers.drain()
    assert.equal(mailsTo(user.email).length, 5)
  })

  it('keeps the token of the last mail when no further one is sent', async () => {
    const user = await newUser()
    let token = ''
    for (let count = 0; count < 5; count++) token = await tokenFor(user)
    for (let count = 0; count < 2; count++) assert.equal((await forget(user.userName)).status, 202)
    const refused = async () => {
      const { body } = await tenant.admin.get(`/api/audit?subjectId=${user.id}`)
      return body.filter(({ detail }: { detail: { isMailed?: boolean } }) => detail.isMailed === false).length
    }
    await eventually('the requests without a mail', soonMs, async () => (await refused()) === 2)
    assert.equal((await reset(token, 'Forgotten@789')).status, 200)
  })

  it('is set by a mail that an administrator has sent, who does not choose it', async () => {
    const user = await newUser()
    const { client } = await service.signIn(user.userName, tenant.id)
    const start = (by = tenant.admin, id = user.id) => by.post(`/api/users/${id}/password-reset`)
    assert.equal((await start()).status, 202)
    assert.equal((await client.get('/api/auth/me')).status, 200, 'the session stays')
    await service.signIn(user.userName, tenant.id)
    await eventually('the mail', soonMs, async () => mailsTo(user.email).length === 1)
    const token = mailedToken(mailsTo(user.email)[0]?.text)
    assert.equal((await reset(token, 'Forgotten@789')).status, 200)
    await service.signIn(user.userName, tenant.id, 'Forgotten@789')
    const { body } = await tenant.admin.get(
      `/api/audit?subjectId=${user.id}&action=user.passwordResetStarted`,
    )
    assert.equal(body.length, 1)
    for (let count = 1; count < 5; count++) assert.equal((await start()).status, 202)
    assertError(await start(), 429, /Many mails/)
    assertError(await start(tenant.user), 403)
    const other = await service.newTenant()
    assertError(await start(other.admin), 404)
    const away = await newUser()
    await tenant.admin.put(`/api/users/${away.id}`, { isActive: false })
    assertError(await start(tenant.admin, away.id), 404)
    const unmailable = await newUser()
    await storeUnmailableAddress(service, unmailable.id)
    assertError(await start(tenant.admin, unmailable.id), 400, /No mail can be sent/)
  })

  it('of a user who may do more is not reset', async () => {
    await tenant.admin.post('/api/roles', { name: 'Helper', permissions: ['user:read', 'user:write'] })
    const name = uniqueName('helper')
    await tenant.admin.post('/api/users', person(name, { roles: ['Helper'] }))
    const { client } = await service.signIn(name, tenant.id)
    const { id } = (await tenant.admin.get('/api/auth/me')).body
    assertError(await client.post(`/api/users/${id}/password-reset`), 403, /do not have/)
  })
})
