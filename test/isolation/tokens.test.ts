/** The tokens of a tenant, used in another one: they are worth what made-up ones are, and go on working at home. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type IdentityService, sharedIdentityService } from '../identity/identity-service.ts'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { comparable } from '../support/error.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { type TestTenant, uniqueName } from '../support/service.ts'
import { SoftwareAuthenticator } from '../support/software-authenticator.ts'
import { codeVerifier, type Identities, mailsAreSent, newIdentities, postForm } from './identities.ts'
import { changedRows, type StoredRows, storedRows, tablesWithNew } from './stored-rows.ts'

const madeUp = 'x'.repeat(43)
const newPassword = 'Other@123'

onEitherDatabase('A token of another tenant', (database) => {
  let service: IdentityService
  let victim: Identities
  let other: TestTenant
  let former: StoredRows
  before(async () => {
    service = await sharedIdentityService(database)
    victim = await newIdentities(service, await service.newTenant())
    other = await service.newTenant()
    await mailsAreSent(victim)
    former = await rows()
  })
  after(() => service.stop())

  const guest = () => ({
    userName: uniqueName('guest'),
    password: newPassword,
    firstName: 'A',
    lastName: 'B',
  })
  const enrolled = '/api/auth/mfa/enroll'

  /** How each kind of token is used. */
  const uses: [string, () => string, (caller: Client, token: string) => Promise<Answer>][] = [
    [
      'a sign-in, with the code of the user',
      () => victim.tokens.mfa,
      (caller, token) => caller.post('/api/auth/mfa/verify', { token, code: victim.user.app.code(1) }),
    ],
    [
      'a sign-in, with a recovery code of the user',
      () => victim.tokens.mfa,
      (caller, token) =>
        caller.post('/api/auth/mfa/verify', {
          token,
          code: victim.user.recoveryCodes[0] ?? '',
          method: 'recovery',
        }),
    ],
    [
      'a sign-in, to add an app',
      () => victim.tokens.mfa,
      (caller, token) => caller.post(enrolled, { token }),
    ],
    [
      'a sign-in, to confirm an app',
      () => victim.tokens.mfa,
      (caller, token) => caller.post(`${enrolled}/confirm`, { token, code: victim.user.app.code(1) }),
    ],
    [
      'an address',
      () => victim.tokens.verification,
      (caller, token) => caller.post('/api/auth/verify-email', { token }),
    ],
    [
      'an address, on the page',
      () => victim.tokens.verification,
      (caller, token) => postForm(caller, `/account/verify?token=${token}`, new URLSearchParams({ token })),
    ],
    [
      'a password',
      () => victim.tokens.reset,
      (caller, token) => caller.post('/api/auth/reset-password', { token, password: newPassword }),
    ],
    [
      'a password, on the page',
      () => victim.tokens.reset,
      (caller, token) =>
        postForm(
          caller,
          `/account/reset-password?token=${token}`,
          new URLSearchParams({ token, password: newPassword }),
        ),
    ],
    [
      'a password, as the page is asked for',
      () => victim.tokens.reset,
      (caller, token) => caller.get(`/account/reset-password?token=${token}`),
    ],
    [
      'an invitation',
      () => victim.tokens.invitation,
      (caller, token) => caller.post('/api/invitations/accept', { ...guest(), token }),
    ],
    [
      'an invitation, on the page',
      () => victim.tokens.invitation,
      (caller, token) =>
        postForm(
          caller,
          `/account/accept-invitation?token=${token}`,
          new URLSearchParams({ ...guest(), token }),
        ),
    ],
    [
      'an invitation, as the page is asked for',
      () => victim.tokens.invitation,
      (caller, token) => caller.get(`/account/accept-invitation?token=${token}`),
    ],
    [
      'an invitation in place of that for a password',
      () => victim.tokens.invitation,
      (caller, token) => caller.post('/api/auth/reset-password', { token, password: newPassword }),
    ],
    [
      'an application',
      () => victim.tokens.code,
      (caller, code) => caller.post('/api/auth/token', { code, codeVerifier }),
    ],
    [
      'a session, as that of a sign-in',
      () => victim.refreshToken,
      (caller, token) => caller.post('/api/auth/mfa/verify', { token, code: victim.user.app.code(1) }),
    ],
    [
      'a session, which ends',
      () => victim.refreshToken,
      async (_caller, refreshToken) => {
        const { client } = await service.signIn('worker', other.id)
        return client.post('/api/auth/logout', { refreshToken })
      },
    ],
  ]

  for (const [title, tokenOf, use] of uses)
    it(`for ${title} is like one that nobody has`, async () => {
      const caller = () => callerIn(other.id)
      const token = tokenOf()
      assert.notEqual(token, '')
      const [foreign, unknown] = [await use(caller(), token), await use(caller(), madeUp)]
      assert.deepEqual(shown(foreign, token), shown(unknown, madeUp))
    })

  it('changes nothing of its tenant there', async () => {
    const now = await rows()
    assert.deepEqual(changedRows(former, now), [])
    assert.deepEqual(tablesWithNew(former, now), [])
  })

  it('for a passkey is like that of a passkey that nobody has', async () => {
    const path = '/api/auth/passkeys'
    const [home, away] = [() => callerIn(victim.tenantId), () => callerIn(other.id)]
    const stranger = new SoftwareAuthenticator('https://tenantry.example')
    const options = async (caller: Client) => (await caller.post(`${path}/request-options`, {})).body
    stranger.create({ ...(await options(away())), rp: { id: 'tenantry.example' }, user: { id: 'AAAA' } })
    for (const asked of [home, away]) {
      const foreign = await away().post(`${path}/sign-in`, {
        response: victim.device.get(await options(asked())),
      })
      const unknown = await away().post(`${path}/sign-in`, { response: stranger.get(await options(away())) })
      assert.deepEqual(comparable(foreign), comparable(unknown))
      assert.equal(foreign.status, 401)
    }
    const named = await away().post(`${path}/request-options`, { token: victim.tokens.mfa })
    const unnamed = await away().post(`${path}/request-options`, { token: madeUp })
    assert.equal(named.status, unnamed.status)
    assert.ok(!named.text.includes(victim.passkey))
    const gone = changedRows(former, await rows())
    assert.deepEqual(
      gone.filter((row) => !row.startsWith('one_time_token ')),
      [],
    )
  })

  it('that names its tenant itself stays with it, whatever tenant the request names', async () => {
    const refreshed = await callerIn(other.id).post('/api/auth/refresh', {
      refreshToken: victim.refreshToken,
    })
    const made = await callerIn(other.id).post('/api/auth/refresh', { refreshToken: madeUp })
    assert.equal(made.status, 401)
    assert.equal(refreshed.status, 200, refreshed.text)
    const { body } = await service.anonymous.withToken(refreshed.body.accessToken).get('/api/auth/me')
    assert.equal(body.tenantId, victim.tenantId)
    victim.refreshToken = refreshed.body.refreshToken
    const key = service.anonymous.withToken(victim.apiKey.key)
    assert.equal((await key.get('/api/users', { 'x-tenant-id': other.id })).status, 403)
  })

  it('works at home afterwards', async () => {
    const home = () => callerIn(victim.tenantId)
    const { tokens, user, refreshToken, device } = victim
    const answers = [
      await home().post('/api/auth/mfa/verify', { token: tokens.mfa, code: user.app.code(1) }),
      await home().post('/api/invitations/accept', { ...guest(), token: tokens.invitation }),
      await home().post('/api/auth/token', { code: tokens.code, codeVerifier }),
      await home().post('/api/auth/refresh', { refreshToken }),
      await home().post('/api/auth/verify-email', { token: tokens.verification }),
      await home().post('/api/auth/reset-password', { token: tokens.reset, password: newPassword }),
    ]
    const { body } = await home().post('/api/auth/passkeys/request-options', {})
    answers.push(await home().post('/api/auth/passkeys/sign-in', { response: device.get(body) }))
    assert.deepEqual(
      answers.map(({ status, text }) => (status === 200 || status === 201 ? 'works' : text)),
      answers.map(() => 'works'),
    )
  })

  function callerIn(tenantId: string): Client {
    return service.anonymous.with({ ...fromAnyAddress(), 'x-tenant-id': tenantId })
  }

  function rows() {
    return storedRows(service.config.databaseUrl, victim.tenantId)
  }
})

/** Without the token itself, which a page repeats. */
function shown(answer: Answer, token: string): object {
  const { status, headers, text } = answer
  return comparable({ status, headers, body: null, text: text.replaceAll(token, '') })
}
