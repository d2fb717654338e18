/** Sessions of the console: how they begin and how they end. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { AuthenticatorApp, newFactorUser } from '../support/authenticator-app.ts'
import { assertFaultless, control, inBrowser, openConsole, openSignedOut, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { scan } from '../support/qr-code.ts'
import { password } from '../support/service.ts'

inBrowser('Signing in', (scene) => {
  const give = async (page: Page, userName: string, tenantId: string, given: string) => {
    await control(page, 'User name or email').fill(userName)
    await control(page, 'Password').fill(given)
    await control(page, 'Tenant').fill(tenantId)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  /** Of the sessions of the browser. */
  const keptTokens = (page: Page) =>
    page.evaluate<string[]>(
      'Object.keys(localStorage).filter((key) => key.startsWith("tenantry.session."))' +
        '.map((key) => JSON.parse(localStorage[key]).refreshToken)',
    )

  it('refuses a wrong password, leads to the address that was asked for, and back to it after the session was ended', async () => {
    const { service, browser } = scene
    const { id: tenantId, admin } = await service.newTenant()
    await admin.post('/api/categories', { name: 'Desks' })
    const opened = await openSignedOut(browser, service, '/entities/category?sort=name')
    const { page } = opened
    await give(page, 'boss', tenantId, 'Wrong@123')
    await page.getByRole('alert').waitFor()
    assert.match(await page.getByRole('alert').innerText(), /password[\s\S]*Request \S+/i)
    await control(page, 'Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    assertFaultless(opened, 401)

    const { id } = (await admin.get('/api/auth/me')).body
    assert.equal((await admin.delete(`/api/users/${id}/sessions`)).status, 204)
    await page.getByRole('link', { name: 'Desks' }).click()
    await page.getByText('Your session has ended. Sign in again.').waitFor()
    await give(page, 'boss', tenantId, password)
    await page.getByRole('heading', { name: 'Desks' }).waitFor()
    assertFaultless(opened, 401)
  })

  it('is asked for if the session has ended before the page is opened', async () => {
    const { service, browser } = scene
    const { id: tenantId, admin } = await service.newTenant()
    const opened = await openConsole(browser, service, '/entities/category', { tenantId })
    const { page } = opened
    await page.getByText('There are no categories yet.').waitFor()
    const { id } = (await admin.get('/api/auth/me')).body
    assert.equal((await admin.delete(`/api/users/${id}/sessions`)).status, 204)
    await page.reload()
    await page.getByText('Your session has ended. Sign in again.').waitFor()
    await give(page, 'boss', tenantId, password)
    await page.getByText('There are no categories yet.').waitFor()
    assertFaultless(opened, 401)
  })

  it('has the name of the product, until the first tenant has one of its own', async () => {
    const { service, browser } = scene
    const { page } = await openSignedOut(browser, service, '')
    const brand = page.waitForResponse((reply) => reply.url().endsWith('/api/tenant/brand'))
    await page.reload()
    assert.equal((await (await brand).json()).name, 'Default')
    const header = page.locator('.sign-in header')
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))')
    assert.equal(await header.locator('strong').innerText(), 'Tenantry')
  })

  it('asks for the second factor', async () => {
    const { service, browser, clock } = scene
    const { id: tenantId } = await service.newTenant()
    const user = await newFactorUser(service, clock, tenantId)
    const opened = await openSignedOut(browser, service, '')
    const { page } = opened
    await give(page, user.userName, tenantId, password)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await control(page, 'Code of your authenticator app, or a recovery code').fill(user.app.wrongCode())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await control(page, 'Code of your authenticator app, or a recovery code').fill(user.app.nextCode())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
    assertFaultless(opened, 400, 401)
  })

  it('asks for the password again after a wrong code, without what was said of the code', async () => {
    const { service, browser, clock } = scene
    const { id: tenantId } = await service.newTenant()
    const user = await newFactorUser(service, clock, tenantId)
    const { page } = await openSignedOut(browser, service, '')
    await give(page, user.userName, tenantId, password)
    await control(page, 'Code of your authenticator app, or a recovery code').fill(user.app.wrongCode())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Sign in as somebody else' }).click()
    await control(page, 'Password').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  it('leaves a second factor that has to be added first to the account page', async () => {
    const { service, browser } = scene
    const { id: tenantId, admin } = await service.newTenant()
    assert.equal((await admin.put('/api/tenant/settings', { requireSecondFactor: true })).status, 200)
    const opened = await openSignedOut(browser, service, '')
    const { page } = opened
    await give(page, 'worker', tenantId, password)
    await page.getByRole('alert').getByText('The password is right. A second factor is required.').waitFor()
    await page.getByRole('button', { name: 'Other ways to sign in' }).click()
    await page.waitForURL('**/account/sign-in?*')
    await page.getByLabel('User name or email').fill('worker')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor()
    assertFaultless(opened, 401)
  })

  it('shows the secret of a new app as a code that a phone can read', async () => {
    const { service, browser, clock } = scene
    const { id: tenantId } = await service.newTenant()
    const opened = await openConsole(browser, service, '/account', { tenantId })
    const { page } = opened
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const url = (await page.locator('a[href^="otpauth:"]').getAttribute('href')) ?? ''
    const code = page.getByRole('img', { name: 'QR code for the authenticator app' })
    assert.equal(await scan(code), url)
    const app = new AuthenticatorApp(new URL(url).searchParams.get('secret') ?? '', clock)
    await control(page, 'Code of the app').fill(app.code())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('recovery codes').first().waitFor()
    assertFaultless(opened)
  })

  it('ends in every tab of the browser', async () => {
    const { service, browser } = scene
    const { id: tenantId } = await service.newTenant()
    const opened = await openConsole(browser, service, '', { tenantId })
    const { page } = opened
    const other = await page.context().newPage()
    await other.goto(`${service.url}/console/entities/product`)
    await other.getByText('There are no products yet.').waitFor()
    await page.locator('.user-menu summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await other.getByText('There are no products yet.').count(), 0)
    await other.close()
    assert.deepEqual(await keptTokens(page), [])
    assertFaultless(opened)
  })

  it('keeps sessions of several tenants in one browser, and ends one of them alone', async () => {
    const { service, browser } = scene
    const one = await service.newTenant({ name: 'Nordic Timber' })
    const two = await service.newTenant({ name: 'Öko Haus' })
    await one.admin.post('/api/categories', { name: 'Desks' })
    await two.admin.post('/api/categories', { name: 'Lamps' })
    const opened = await openConsole(browser, service, '/entities/category', { tenantId: one.id })
    const { page } = opened
    const tile = (name: string) => page.locator('.tenant-menu summary', { hasText: name })
    const kept = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    await tile('Nordic Timber').click()
    await page.getByRole('button', { name: 'Sign in to another tenant' }).click()
    await kept('Nordic Timber').waitFor()
    await give(page, 'boss', two.id, password)
    await tile('Öko Haus').waitFor()
    await show(page, '/entities/category')
    await page.getByRole('link', { name: 'Lamps' }).waitFor()
    assert.equal((await keptTokens(page)).length, 2)

    const other = await page.context().newPage()
    await other.goto(`${service.url}/console/entities/category`)
    await other.getByRole('link', { name: 'Lamps' }).waitFor()
    await tile('Öko Haus').click()
    await kept('Nordic Timber').click()
    await tile('Nordic Timber').waitFor()
    await show(page, '/entities/category')
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Lamps' }).count(), 0)
    // What another tab shows stays with its tenant, also when it is loaded anew.
    await other.reload()
    await other.getByRole('link', { name: 'Lamps' }).waitFor()
    assert.equal(await other.getByRole('link', { name: 'Desks' }).count(), 0)

    await page.locator('.user-menu summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Sessions of this browser').waitFor()
    assert.equal(await kept('Nordic Timber').count(), 0)
    await other.getByRole('link', { name: 'Lamps' }).click()
    await other.getByRole('heading', { name: 'Lamps' }).waitFor()
    await other.close()
    const [token = ''] = await keptTokens(page)
    assert.equal((await keptTokens(page)).length, 1)
    assert.ok(!(await page.evaluate<string>('JSON.stringify(sessionStorage)')).includes(token))
    await kept('Öko Haus').click()
    await tile('Öko Haus').waitFor()
    // Signing in again as the same user makes no second session of the list.
    await tile('Öko Haus').click()
    await page.getByRole('button', { name: 'Sign in to another tenant' }).click()
    await give(page, 'boss', two.id, password)
    await tile('Öko Haus').waitFor()
    await eventually('one session', soonMs, async () => (await keptTokens(page)).length === 1)
    await page.reload()
    await tile('Öko Haus').waitFor()
    assertFaultless(opened)
  })
})
