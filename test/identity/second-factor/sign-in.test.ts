/** Signing in with a password and a code. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { rowsNaming } from '../../operations/erase/erasing.ts'
import {
  addApp,
  type FactorUser,
  giveLogin,
  mfaToken,
  newFactorUser,
  verify,
} from '../../support/authenticator-app.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import type { TestTenant } from '../../support/service.ts'
import { appUrl, type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('A sign-in with a second factor', (database) => {
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

  const newUser = (): Promise<FactorUser> => newFactorUser(service, clock, tenant.id)
  const told = (user: FactorUser): string[] =>
    mails.list().flatMap(({ to, text }) => (to === user.email ? [text] : []))
  const actionsOf = async (user: FactorUser): Promise<string[]> => {
    const { client } = await service.signIn('boss', tenant.id)
    const { body } = await client.get(`/api/audit?actorId=${user.id}`)
    return body.map(({ action }: { action: string }) => action)
  }

  it('asks for the factor after the password, and then answers like a sign-in', async () => {
    const user = await newUser()
    const first = await giveLogin(service, user)
    assertError(first, 401, 'The password is right. A second factor is required.')
    assert.equal(first.headers.get('x-mfa-methods'), 'totp,recovery')
    const token = first.headers.get('x-mfa-token') ?? ''
    assert.match(token, /^[\w-]{43}$/)
    const done = await verify(service, tenant.id, { token, code: user.app.nextCode() })
    assert.equal(done.status, 200, done.text)
    const plain = await giveLogin(service, { userName: 'worker', tenantId: tenant.id })
    assert.deepEqual(Object.keys(done.body), Object.keys(plain.body))
    assert.equal(done.body.user.id, user.id)
    assert.equal(done.headers.get('cache-control'), plain.headers.get('cache-control'))
    const { body } = await service.anonymous.withToken(done.body.accessToken).get('/api/auth/sessions')
    assert.deepEqual(body[0].methods, ['pwd', 'otp'])
    const { refreshToken } = done.body
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 200)
  })

  it('says nothing of factors after a wrong password, or for an unknown user', async () => {
    const user = await newUser()
    const wrong = await giveLogin(service, { ...user, password: 'Wrong@123' })
    const unknown = await giveLogin(service, { userName: 'nobody', tenantId: tenant.id })
    for (const answer of [wrong, unknown]) {
      assertError(answer, 401, 'The user name or the password is wrong.')
      assert.equal(answer.headers.get('x-mfa-token'), null)
      assert.equal(answer.headers.get('x-mfa-methods'), null)
    }
  })

  it('shows its headers to applications of other origins', async () => {
    const answer = await service.anonymous.get('/health', { origin: appUrl })
    const exposed = (answer.headers.get('access-control-expose-headers') ?? '').split(', ')
    for (const name of ['x-mfa-token', 'x-mfa-methods', 'x-step-up']) assert.ok(exposed.includes(name), name)
  })

  it('takes a code once, also many times at once and with tokens of their own', async () => {
    const user = await newUser()
    const tokens = await Promise.all(Array.from({ length: rivals }, () => mfaToken(service, user)))
    const code = user.app.nextCode()
    const answers = await Promise.all(tokens.map((token) => verify(service, tenant.id, { token, code })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const others = answers.filter(({ status }) => status !== 200).map(({ status }) => status)
    assert.deepEqual(new Set(others), new Set([401, 429]))
  })

  it('takes a token once, also many times at once', async () => {
    const user = await newUser()
    const token = await mfaToken(service, user)
    const codes = user.recoveryCodes
    const answers = await Promise.all(
      Array.from({ length: rivals }, (_, index) =>
        verify(service, tenant.id, { token, code: codes[index % codes.length] ?? '' }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      assertError(answer, 401, 'The sign-in has expired. Begin it again.')
    assert.equal((await user.client.get('/api/auth/mfa')).body.recoveryCodesLeft, 9)
  })

  it('takes no code of an earlier step than the last one used', async () => {
    const user = await newUser()
    clock.advance({ seconds: 60 })
    const [earlier, present] = [user.app.code(-1), user.app.code()]
    const statuses: number[] = []
    for (const code of [present, earlier, present])
      statuses.push((await verify(service, tenant.id, { token: await mfaToken(service, user), code })).status)
    assert.deepEqual(statuses, [200, 401, 401])
  })

  it('takes a recovery code once, also many times at once, and tells the user', async () => {
    const user = await newUser()
    const [code = ''] = user.recoveryCodes
    const tokens = await Promise.all(Array.from({ length: rivals }, () => mfaToken(service, user)))
    const answers = await Promise.all(
      tokens.map((token) =>
        verify(service, tenant.id, {
          token,
          code: code.toLowerCase().replaceAll('-', ' '),
          method: 'recovery',
        }),
      ),
    )
    const done = answers.filter(({ status }) => status === 200)
    assert.equal(done.length, 1)
    const client = service.anonymous.withToken(done[0]?.body.accessToken)
    assert.deepEqual((await client.get('/api/auth/sessions')).body[0].methods, ['pwd', 'recovery'])
    assert.equal((await client.get('/api/auth/mfa')).body.recoveryCodesLeft, 9)
    await eventually('the mail', soonMs, async () =>
      told(user).some((text) => /recovery code was used/.test(text)),
    )
    assert.equal((await actionsOf(user)).filter((action) => action === 'recoveryCode.used').length, 1)
  })

  it('refuses tokens that are forged, expired, used, or of another tenant or user', async () => {
    const user = await newUser()
    const other = await service.newTenant()
    const refused = async (given: string, tenantId = tenant.id) => {
      const answer = await verify(service, tenantId, { token: given, code: user.app.nextCode() })
      assertError(answer, 401, 'The sign-in has expired. Begin it again.')
    }
    const token = await mfaToken(service, user)
    await refused(`${token}x`)
    await refused(token, other.id)
    assert.equal((await verify(service, tenant.id, { token, code: user.app.nextCode() })).status, 200)
    await refused(token)
    const late = await mfaToken(service, user)
    clock.advance({ minutes: 10 })
    await refused(late)
    const stranger = await newUser()
    const theirs = await mfaToken(service, stranger)
    assertError(
      await verify(service, tenant.id, { token: theirs, code: user.app.nextCode() }),
      401,
      /^The code/,
    )
    const [code = ''] = user.recoveryCodes
    assertError(await verify(service, tenant.id, { token: theirs, code }), 401, /^The code/)
  })

  it('ends with the password with which it began, and with the user', async () => {
    const boss = (await service.signIn('boss', tenant.id)).client
    const user = await newUser()
    const refusedAfter = async (change: object) => {
      const token = await mfaToken(service, user)
      assert.equal((await boss.put(`/api/users/${user.id}`, change)).status, 200)
      const answer = await verify(service, tenant.id, { token, code: user.app.nextCode() })
      assertError(answer, 401, 'The sign-in has expired. Begin it again.')
    }
    await refusedAfter({ isActive: false })
    await boss.put(`/api/users/${user.id}`, { isActive: true })
    await refusedAfter({ password: 'Other@456' })
    const next = await giveLogin(service, { ...user, password: 'Other@456' })
    assert.equal(next.headers.get('x-mfa-methods'), 'totp,recovery')
  })

  it('is asked for by a step-up, too, which takes a code in place of the password', async () => {
    const user = await newUser()
    clock.advance({ minutes: 11 })
    const dangerous = () => user.client.post('/api/auth/mfa/recovery-codes')
    assert.equal((await dangerous()).headers.get('x-step-up'), 'required')
    const stepUp = (body: object) => user.client.post('/api/auth/step-up', body)
    assertError(await stepUp({}), 400)
    assertError(await stepUp({ code: '' }), 400)
    assertError(await stepUp({ code: user.app.wrongCode() }), 400, 'code: is wrong')
    const code = user.app.nextCode()
    assert.equal((await stepUp({ code })).status, 200)
    assertError(await stepUp({ code }), 400, 'code: is wrong')
    assert.equal((await dangerous()).status, 200)
    const actions = await actionsOf(user)
    assert.ok(actions.includes('session.stepUpRefused') && actions.includes('factor.refused'), `${actions}`)
  })

  it('stores neither secrets, codes nor tokens in the clear', async () => {
    const user = await newUser()
    const again = await user.client.post('/api/auth/mfa/totp')
    const token = await mfaToken(service, user)
    const secrets = [
      again.body.secret,
      token,
      ...user.recoveryCodes,
      ...user.recoveryCodes.map(withoutHyphens),
    ]
    assert.deepEqual(await rowsNaming(service.config.databaseUrl, secrets), [])
    const { client } = await service.signIn('boss', tenant.id)
    const audit = (await client.get('/api/audit')).text
    for (const secret of secrets) assert.ok(!audit.includes(secret))
  })

  it('goes on with the new app after another one has replaced it', async () => {
    const user = await newUser()
    clock.advance({ seconds: 30 })
    const { app } = await addApp(user.client, clock)
    const old = await verify(service, tenant.id, {
      token: await mfaToken(service, user),
      code: user.app.nextCode(),
    })
    assertError(old, 401, /^The code/)
    const token = await mfaToken(service, user)
    assert.equal((await verify(service, tenant.id, { token, code: app.nextCode() })).status, 200)
    assertError(
      await verify(service, tenant.id, {
        token: await mfaToken(service, user),
        code: user.recoveryCodes[0] ?? '',
      }),
      401,
      /^The code/,
    )
  })
})

function withoutHyphens(code: string): string {
  return code.replaceAll('-', '')
}
