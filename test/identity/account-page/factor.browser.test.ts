/** Second factors on the page to sign in, in Chromium: an app without scripts, and passkeys with the script of the page. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { AuthenticatorApp } from '../../support/authenticator-app.ts'
import { openPage } from '../../support/browser.ts'
import { inBrowser } from '../../support/console.ts'
import { scan } from '../../support/qr-code.ts'
import { password } from '../../support/service.ts'
import { addAuthenticator } from '../../support/virtual-authenticator.ts'

const verifier = 'v'.repeat(43)

inBrowser('Second factors on a page in a browser', (scene) => {
  const addressOf = (tenant: string): string => {
    const codeChallenge = hash('sha256', verifier, 'base64url')
    const query = new URLSearchParams({ tenant, returnTo: '/health/live', codeChallenge })
    return `${scene.service.url}/account/sign-in?${query}`
  }

  /** @returns how the session began */
  const methodsOf = async (page: Page, tenant: string): Promise<string[]> => {
    await page.waitForURL(/sign_in_code/)
    const code = new URL(page.url()).searchParams.get('sign_in_code')
    const input = { code, codeVerifier: verifier }
    const { body } = await scene.service.anonymous.post('/api/auth/token', input, { 'x-tenant-id': tenant })
    const sessions = await scene.service.anonymous.withToken(body.accessToken).get('/api/auth/sessions')
    return sessions.body.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).methods
  }

  it('adds an app without scripts, and signs in with its codes', async () => {
    const { id, admin } = await scene.service.newTenant()
    await admin.put('/api/tenant/settings', { requireSecondFactor: true })
    const { page, faults } = await openPage(scene.browser, addressOf(id), { javaScriptEnabled: false })
    const givePassword = async () => {
      await page.getByLabel('User name or email').fill('worker')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    assert.equal(await page.getByRole('button').count(), 1, 'no button of passkeys')
    await givePassword()
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
    const code = page.getByRole('img', { name: 'QR code for the authenticator app' })
    assert.equal(await scan(code), await page.locator('a[href^="otpauth:"]').getAttribute('href'))
    const app = new AuthenticatorApp(secret, scene.clock)
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code())
    await page.getByRole('button').click()
    assert.equal(await page.locator('li').count(), 10)
    await page.getByRole('button', { name: 'Continue' }).click()
    assert.deepEqual(await methodsOf(page, id), ['pwd', 'otp'])
    await page.goto(addressOf(id))
    await givePassword()
    await page.getByLabel('Code').fill(app.nextCode())
    await page.getByRole('button').click()
    assert.deepEqual(await methodsOf(page, id), ['pwd', 'otp'])
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('401')),
      [],
    )
  })

  it('signs in with a passkey alone, and after a password', async () => {
    const { id } = await scene.service.newTenant()
    const { accessToken } = await scene.service.signIn('worker', id)
    const { page, faults } = await openPage(scene.browser, addressOf(id))
    await addAuthenticator(page)
    // As with some password managers.
    await page.addInitScript(withoutToJson)
    await page.reload()
    const passkey = page.getByRole('button', { name: 'passkey' })
    await passkey.click()
    assert.match(await page.getByRole('alert').innerText(), /was not used/)
    await page.evaluate(`(async (token) => {${addPasskey}})(${JSON.stringify(accessToken)})`)
    await passkey.click()
    assert.deepEqual(await methodsOf(page, id), ['passkey'])
    await page.goto(addressOf(id))
    await page.getByLabel('User name or email').fill('worker')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await passkey.click()
    assert.deepEqual(await methodsOf(page, id), ['pwd', 'passkey'])
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('401')),
      [],
    )
  })
})

/** For the page. The types of this project have no browser. */
const addPasskey = `
  const post = async (path, body) => {
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
    const reply = await fetch('/api/auth/passkeys' + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return reply.json()
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post('/creation-options', {}))
  const credential = await navigator.credentials.create({ publicKey })
  await post('', { name: 'Mine', response: credential.toJSON() })
`

/** Of what signs in; the test itself reads what it has made. */
const withoutToJson = `
  const { toJSON } = PublicKeyCredential.prototype
  PublicKeyCredential.prototype.toJSON = function () {
    if (this.response instanceof AuthenticatorAssertionResponse) throw new TypeError()
    return toJSON.call(this)
  }`
