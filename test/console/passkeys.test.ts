/** Passkeys of the signed-in user on the account page of the console, with an authenticator of Chromium. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { giveLogin } from '../support/authenticator-app.ts'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import { TestClock } from '../support/clock.ts'
import { assertFaultless, control } from '../support/console.ts'
import { freePort } from '../support/free-port.ts'
import { password, startService, type TestService } from '../support/service.ts'
import { addAuthenticator } from '../support/virtual-authenticator.ts'
import { openConsoleAs } from './administrator.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('Passkeys in the console', { skip: chromiumPath === null && noBrowser }, () => {
  const clock = new TestClock()
  let service: TestService
  let browser: Browser
  before(async () => {
    const port = String(await freePort())
    const settings = { PORT: port, BASE_URL: `http://localhost:${port}` }
    service = await startService('sqlite', settings, { clock: clock.now })
    browser = await startBrowser(chromiumPath ?? '')
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('are added after the user has proven again who it is, renamed, and removed', async () => {
    const { id: tenantId, user } = await service.newTenant()
    const url = service.url.replace('127.0.0.1', 'localhost')
    const worker = { name: 'worker', tenant: tenantId }
    const opened = await openConsoleAs({ ...service, url }, browser, worker, '/account')
    const { page } = opened
    await addAuthenticator(page)
    const dialog = page.getByRole('dialog')
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await control(page, 'Name of the passkey').fill(name)
      await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    }
    await page.getByText('A passkey signs you in').waitFor()
    await page.getByText('You sign in with your password alone.').waitFor()
    clock.advance({ minutes: 11 })
    await add('My laptop')
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('cell', { name: 'My laptop' }).waitFor()
    const codes = await page.getByRole('status').locator('pre').innerText()
    assert.equal(codes.split('\n').length, 10)
    await page.getByText('You sign in with a passkey').waitFor()
    const login = await giveLogin(service, { userName: 'worker', tenantId })
    assert.deepEqual([login.status, login.headers.get('x-mfa-methods')?.includes('passkey')], [401, true])

    await add('The same device')
    await dialog.getByRole('alert').getByText('has a passkey of yours already').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Rename' }).click()
    await control(page, 'Name of the passkey').fill('Work laptop')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('cell', { name: 'Work laptop' }).waitFor()
    assert.deepEqual(
      (await user.get('/api/auth/passkeys')).body.map(({ name }: { name: string }) => name),
      ['Work laptop'],
    )

    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('A passkey signs you in').waitFor()
    await page.getByText('You sign in with your password alone.').waitFor()
    assert.deepEqual((await user.get('/api/auth/passkeys')).body, [])
    assertFaultless(opened, 403)
  })
})
