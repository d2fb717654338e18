/** Sessions of the console: how they begin and how they end. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { AuthenticatorApp, newFactorUser } from '../support/authenticator-app.ts'
import { assertFaultless, control, inBrowser, openConsole, openSignedOut } from '../support/console.ts'
import { scan } from '../support/qr-code.ts'
import { password } from '../support/service.ts'

inBrowser('Signing in', (scene) => {
  const give = async (page: Page, userName: string, tenantId: string, given: string) => {
    await control(page, 'User name or email').fill(userName)
    await control(page, 'Password').fill(given)
    await control(page, 'Tenant').fill(tenantId)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

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
    assert.equal(await page.evaluate('localStorage.getItem("tenantry.refreshToken")'), null)
    assertFaultless(opened)
  })
})
