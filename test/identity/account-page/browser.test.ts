/** The account pages in Chromium, without scripts. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { chromiumPath, openPage, startBrowser } from '../../support/browser.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('An account page in a browser', { skip: chromiumPath === null && noBrowser }, () => {
  const mails = new CollectedMails()
  let service: TestService
  let browser: Browser
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {}, { mailTransport: mails })
    browser = await startBrowser(chromiumPath ?? '')
    tenant = await service.newTenant()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  const linkTo = async (email: string): Promise<string> => {
    const sent = () => mails.list().filter(({ to }) => to === email)
    await eventually('the mail', soonMs, async () => sent().length > 0)
    const { pathname, search } = new URL(/^https?:\S+$/m.exec(sent().at(-1)?.text ?? '')?.[0] ?? '')
    return `${service.url}${pathname}${search}`
  }

  it('accepts an invitation, then sets a forgotten password', async () => {
    const email = `${uniqueName('guest')}@example.com`
    await tenant.admin.post('/api/invitations', { email })
    const { page, faults } = await openPage(browser, await linkTo(email), { javaScriptEnabled: false })
    const userName = uniqueName('ada')
    await page.getByLabel('Given name').fill('Ada')
    await page.getByLabel('Family name').fill('Lovelace')
    await page.getByLabel('User name').fill(userName)
    await page.getByLabel('New password').fill('all lower case')
    await page.getByRole('button').click()
    assert.match(await page.getByRole('alert').innerText(), /Correct the fields/)
    assert.equal(await page.getByLabel('User name').inputValue(), userName)
    assert.deepEqual(faults.splice(0).length, 1, 'the browser reports the status 400')
    await page.getByLabel('New password').fill('Invited@123')
    await page.getByRole('button').click()
    assert.match(await page.getByRole('status').innerText(), new RegExp(`Sign in as ${userName}`))
    await service.signIn(userName, tenant.id, 'Invited@123')

    await page.goto(`${service.url}/account/forgot-password?tenant=${tenant.id}`)
    await page.getByLabel('User name or email').fill(email)
    const earlier = mails.list().length
    await page.getByRole('button').click()
    await page.getByRole('status').waitFor()
    await eventually('the mail', soonMs, async () => mails.list().length > earlier)
    await page.goto(await linkTo(email))
    await page.getByLabel('New password').fill('Forgotten@789')
    await page.getByRole('button').click()
    assert.match(await page.getByRole('status').innerText(), /The password is set/)
    await service.signIn(userName, tenant.id, 'Forgotten@789')
    assert.deepEqual(faults, [])
  })
})
