/** Second factors and passkeys on the page to sign in. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, it } from 'node:test'
import { AuthenticatorApp } from '../../support/authenticator-app.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { password, person, type TestTenant, uniqueName } from '../../support/service.ts'
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts'
import {
  appUrl as app,
  baseUrl,
  type IdentityService,
  rivals,
  sharedIdentityService,
} from '../identity-service.ts'

const verifier = 'v'.repeat(43)

onEitherDatabase('The page to sign in with a second factor', (database) => {
  let service: IdentityService
  let clock: TestClock
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const addressOf = (tenantId: string): URL => {
    const address = new URL('/account/sign-in', service.url)
    const codeChallenge = hash('sha256', verifier, 'base64url')
    address.search = new URLSearchParams({
      tenant: tenantId,
      returnTo: `${app}/home`,
      codeChallenge,
    }).toString()
    return address
  }

  const post = (form: Record<string, string>, tenantId = tenant.id) =>
    fetch(addressOf(tenantId), {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', origin: service.url, ...fromAnyAddress() },
      body: new URLSearchParams(form),
    })

  const hiddenIn = (page: string): Record<string, string> =>
    Object.fromEntries(
      [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value.replaceAll('&amp;', '&'),
      ]),
    )

  /** @returns how the session began */
  const methodsOf = async (answer: Response, tenantId = tenant.id): Promise<string[]> => {
    assert.equal(answer.status, 303, await answer.text())
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('sign_in_code')
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenantId }
    const { status, body, text } = await service.anonymous.post(
      '/api/auth/token',
      { code, codeVerifier: verifier },
      headers,
    )
    assert.equal(status, 200, text)
    const sessions = await service.anonymous.withToken(body.accessToken).get('/api/auth/sessions')
    return sessions.body.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).methods
  }

  it('adds the app that the tenant requires, shows recovery codes once, and goes on', async () => {
    const strict = await service.newTenant()
    await strict.admin.put('/api/tenant/settings', { requireSecondFactor: true })
    const asked = await post({ userName: 'worker', password }, strict.id)
    assert.equal(asked.status, 401)
    const form = hiddenIn(await asked.text())
    const secret = new URL(form['url'] ?? '').searchParams.get('secret') ?? ''
    const authenticator = new AuthenticatorApp(secret, clock)
    const wrong = await post({ ...form, code: authenticator.wrongCode() }, strict.id)
    assert.equal(wrong.status, 400)
    const again = await wrong.text()
    assert.match(again, /id="code-fault"[\s\S]*<a href="">Begin again<\/a>/)
    assert.ok(again.includes(`<code>${secret.match(/.{4}/g)?.join(' ')}</code>`))
    const added = await post({ ...hiddenIn(again), code: authenticator.code() }, strict.id)
    assert.equal(added.status, 200)
    const page = await added.text()
    const codes = [...page.matchAll(/<li>([A-Z2-7-]{19})<\/li>/g)]
    assert.equal(codes.length, 10)
    clock.advance({ minutes: 10 })
    const goOn = hiddenIn(page)
    const answers = await Promise.all(Array.from({ length: rivals }, () => post(goOn, strict.id)))
    const [first, ...others] = answers.filter(({ status }) => status === 303)
    assert.ok(first !== undefined && others.length === 0)
    assert.deepEqual(await methodsOf(first, strict.id), ['pwd', 'otp'])
    assert.match(await (await post(goOn, strict.id)).text(), /has expired[\s\S]*name="password"/)
    const next = await post({ userName: 'worker', password }, strict.id)
    assert.match(await next.text(), /recovery code[\s\S]*name="code"/)
  })

  it('shows no secret but that of the service', async () => {
    const page = await (
      await post({ step: 'enroll', methods: 'enroll', token: 'x', url: 'javascript:x' })
    ).text()
    assert.ok(!page.includes('javascript:') && !page.includes('href="otpauth'))
  })

  it('takes a passkey alone, and after a password', async () => {
    const { body: user } = await tenant.admin.post('/api/users', person(uniqueName('ada')))
    const { client } = await service.signIn(user.userName, tenant.id)
    const device = new SoftwareAuthenticator(baseUrl)
    const creation = await client.post('/api/auth/passkeys/creation-options')
    const response = device.create(creation.body)
    assert.equal((await client.post('/api/auth/passkeys', { name: 'Mine', response })).status, 201)
    const page = await fetch(addressOf(tenant.id), { headers: fromAnyAddress() })
    const policy = page.headers.get('content-security-policy') ?? ''
    const text = await page.text()
    assert.match(text, /name="password" type="password" value="" autocomplete="current-password"/)
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? ''
    const digest = hash('sha256', script, 'base64')
    assert.ok(policy.includes(`script-src 'sha256-${digest}'; connect-src 'self';`), policy)
    const use = async (step: Record<string, string>) => {
      const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
      const options = await service.anonymous.post('/api/auth/passkeys/request-options', step, headers)
      return post({ ...step, passkey: JSON.stringify(device.get(options.body)) })
    }
    assert.deepEqual(await methodsOf(await use({})), ['passkey'])
    const asked = await post({ userName: user.userName, password })
    const { token = '', methods } = hiddenIn(await asked.text())
    assert.equal(methods, 'recovery,passkey')
    assert.deepEqual(await methodsOf(await use({ token })), ['pwd', 'passkey'])
    for (const passkey of [
      '',
      '{',
      'null',
      '{"id": 1}',
      JSON.stringify(device.get({ challenge: creation.body.challenge, rpId: creation.body.rp.id })),
    ]) {
      const refused = await post({ passkey })
      assert.ok([400, 401].includes(refused.status), passkey)
      assert.match(await refused.text(), /role="alert"[\s\S]*name="password"/)
    }
  })
})
