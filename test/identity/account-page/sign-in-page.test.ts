/** The page on which users sign in for an application. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, it } from 'node:test'
import { type FactorUser, newFactorUser } from '../../support/authenticator-app.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { password, person, type TestTenant, uniqueName } from '../../support/service.ts'
import { appUrl as app, type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

const verifier = 'v'.repeat(43)

onEitherDatabase('The page to sign in', (database) => {
  let service: IdentityService
  let clock: TestClock
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const addressOf = (returnTo = `${app}/home?page=1`): URL => {
    const address = new URL('/account/sign-in', service.url)
    const codeChallenge = hash('sha256', verifier, 'base64url')
    address.search = new URLSearchParams({ tenant: tenant.id, returnTo, codeChallenge }).toString()
    return address
  }

  const post = (form: Record<string, string>, address = addressOf()) =>
    fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', origin: service.url, ...fromAnyAddress() },
      body: new URLSearchParams(form),
    })

  /** @returns the code for the application */
  const codeOf = (answer: Response): string => {
    assert.equal(answer.status, 303)
    const url = new URL(answer.headers.get('location') ?? '')
    assert.deepEqual(
      [url.origin, url.searchParams.get('page'), url.searchParams.get('tenant')],
      [app, '1', tenant.id],
    )
    return url.searchParams.get('sign_in_code') ?? ''
  }

  const exchange = (code: string, codeVerifier = verifier) =>
    service.anonymous.post(
      '/api/auth/token',
      { code, codeVerifier },
      { ...fromAnyAddress(), 'x-tenant-id': tenant.id },
    )

  const newUser = async (): Promise<{ id: string; userName: string }> =>
    (await tenant.admin.post('/api/users', person(uniqueName('ada')))).body

  it('hands the sign-in to the application by a code that works once', async () => {
    const user = await newUser()
    const page = await fetch(addressOf(), { headers: fromAnyAddress() })
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/app\.tenantry\.example;/,
    )
    assert.match(await page.text(), /autocomplete="current-password"/)
    const code = codeOf(await post({ userName: user.userName, password }))
    const answers = await Promise.all(Array.from({ length: rivals }, () => exchange(code)))
    const [signedIn, ...others] = answers.filter(({ status }) => status === 200)
    assert.equal(others.length, 0)
    assert.equal(signedIn?.body.user.id, user.id)
    const { body } = await service.anonymous.withToken(signedIn?.body.accessToken).get('/api/auth/sessions')
    assert.deepEqual(body[0].methods, ['pwd'])
  })

  it('gives a code that only its application can use, for a minute', async () => {
    const { userName } = await newUser()
    const stolen = codeOf(await post({ userName, password }))
    assertError(await exchange(stolen, 'w'.repeat(43)), 401)
    const late = codeOf(await post({ userName, password }))
    clock.advance({ seconds: 61 })
    assertError(await exchange(late), 401)
  })

  it('says that a password is wrong, as for an unknown user', async () => {
    const { userName } = await newUser()
    const wrong = await post({ userName, password: 'Wrong@123' })
    assert.equal(wrong.status, 401)
    const text = await wrong.text()
    assert.match(text, /role="alert">The user name or the password is wrong/)
    assert.ok(!text.includes('Wrong@123'))
    const unknown = await (await post({ userName: `${userName}x`, password: 'Wrong@123' })).text()
    assert.equal(unknown.replaceAll(`${userName}x`, userName), text)
  })

  it('asks for the code of a second factor, and takes it once', async () => {
    const user: FactorUser = await newFactorUser(service, clock, tenant.id)
    const asked = await post({ userName: user.userName, password })
    assert.equal(asked.status, 401)
    assert.equal(asked.headers.get('x-mfa-token'), null)
    const token = /name="token" value="([\w-]{43})"/.exec(await asked.text())?.[1] ?? ''
    const wrong = await post({ token, code: user.app.wrongCode() })
    assert.equal(wrong.status, 401)
    assert.match(await wrong.text(), /role="alert">The code is wrong[\s\S]*autocomplete="one-time-code"/)
    const right = user.app.nextCode()
    const signedIn = await exchange(codeOf(await post({ token, code: right })))
    assert.equal(signedIn.status, 200, signedIn.text)
    const { body } = await service.anonymous.withToken(signedIn.body.accessToken).get('/api/auth/sessions')
    assert.deepEqual(body[0].methods, ['pwd', 'otp'])
    const again = await post({ token, code: right })
    assert.equal(again.status, 401)
    assert.match(await again.text(), /The sign-in has expired/)
  })

  it('sends the browser nowhere else', async () => {
    for (const returnTo of [
      'https://evil.example/',
      '//evil.example',
      'https://u:p@app.tenantry.example/',
      'javascript:x',
    ]) {
      const address = addressOf(returnTo)
      assert.equal((await fetch(address, { headers: fromAnyAddress() })).status, 400, returnTo)
      const answer = await post({ userName: 'boss', password }, address)
      assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], returnTo)
    }
  })
})
