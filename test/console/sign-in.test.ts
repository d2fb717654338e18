/** Sessions of the console: how they begin and how they end. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { AuthenticatorApp, newFactorUser } from '../support/authenticator-app.ts'
import { openPage } from '../support/browser.ts'
import { TestClock } from '../support/clock.ts'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import { scan } from '../support/qr-code.ts'
import { password } from '../support/service.ts'

const clock = new TestClock()

inBrowser(
  'Signing in',
  (scene) => {
    const give = async (page: Page, userName: string, tenantId: string, given: string) => {
      await control(page, 'User name or email').fill(userName)
      await control(page, 'Password').fill(given)
      await control(page, 'Tenant').fill(tenantId)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }

    it('refuses a wrong password, and then leads to the address that was asked for', async () => {
      const { service, browser } = scene
      const tenant = await service.newTenant()
      const opened = await openPage(browser, `${service.url}/console/entities/category`)
      const { page } = opened
      await give(page, 'boss', tenant.id, 'Wrong@123')
      await page.getByRole('alert').waitFor()
      assert.match(await page.getByRole('alert').innerText(), /password[\s\S]*Request \S+/i)
      await control(page, 'Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('There are no categories yet.').waitFor()
      await page.reload()
      await page.getByText('There are no categories yet.').waitFor()
      assertFaultless(opened, 401)
      await page.close()
    })

    it('asks for the second factor', async () => {
      const { service, browser } = scene
      const tenant = await service.newTenant()
      const user = await newFactorUser(service, clock, tenant.id)
      const opened = await openPage(browser, `${service.url}/console`)
      const { page } = opened
      await give(page, user.userName, tenant.id, password)
      await page.getByRole('heading', { name: 'Second factor' }).waitFor()
      await control(page, 'Code of your authenticator app, or a recovery code').fill(user.app.wrongCode())
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').waitFor()
      await control(page, 'Code of your authenticator app, or a recovery code').fill(user.app.nextCode())
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
      assertFaultless(opened, 400, 401)
      await page.close()
    })

    it('shows the secret of a new app as a code that a phone can read', async () => {
      const { service, browser } = scene
      const tenant = await service.newTenant()
      const opened = await openConsole(browser, service, '/account', { tenantId: tenant.id })
      const { page } = opened
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
      const code = page.getByRole('img', { name: 'QR code for the authenticator app' })
      const url = (await page.locator('a[href^="otpauth:"]').getAttribute('href')) ?? ''
      assert.equal(await scan(code), url)
      const app = new AuthenticatorApp(new URL(url).searchParams.get('secret') ?? '', clock)
      await control(page, 'Code of the app').fill(app.code())
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('recovery codes').first().waitFor()
      assertFaultless(opened)
      await page.close()
    })

    it('is asked for again when the session was ended elsewhere', async () => {
      const { service, browser } = scene
      const tenant = await service.newTenant()
      const opened = await openConsole(browser, service, '', { tenantId: tenant.id })
      const { page } = opened
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
      const { id } = (await tenant.admin.get('/api/auth/me')).body
      assert.equal((await tenant.admin.delete(`/api/users/${id}/sessions`)).status, 204)
      await page.getByRole('link', { name: 'Orders' }).first().click()
      await page.getByText('Your session has ended. Sign in again.').waitFor()
      assertFaultless(opened, 401)
      await page.close()
    })

    it('ends in every tab of the browser', async () => {
      const { service, browser } = scene
      const tenant = await service.newTenant()
      const opened = await openConsole(browser, service, '', { tenantId: tenant.id })
      const { page } = opened
      const other = await page.context().newPage()
      await other.goto(`${service.url}/console/entities/product`)
      await other.getByText('There are no products yet.').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await other.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(await other.getByText('There are no products yet.').count(), 0)
      assert.equal(await page.evaluate('localStorage.getItem("tenantry.refreshToken")'), null)
      assertFaultless(opened)
      await page.context().close()
    })
  },
  { clock: clock.now },
)
