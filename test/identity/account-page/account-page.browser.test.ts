/** The account pages in Chromium, without scripts. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { violationsOf, violationsOfLooks } from '../../support/accessibility.ts'
import { openPage, releaseBrowser, sharedBrowser } from '../../support/browser.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

describe('An account page in a browser', () => {
  const mails = new CollectedMails()
  let service: TestService
  let browser: Browser
  let tenant: TestTenant
  before(async () => {
    const PORT = String(await freePort())
    service = await startService(
      'sqlite',
      { SIGN_UP: 'open', PORT, BASE_URL: `http://localhost:${PORT}` }, // logos are at its address

      { mailTransport: mails, strictRequests: 10_000 },
    )
    browser = await sharedBrowser()
    tenant = await service.newTenant()
  })
  after(async () => {
    await releaseBrowser(browser)
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

  it('signs up a tenant, and verifies the address of its administrator', async () => {
    const email = `${uniqueName('ada')}@example.com`
    const organisation = uniqueName('org')
    const { page, faults } = await openPage(browser, `${service.url}/account/sign-up`, {
      javaScriptEnabled: false,
    })
    await page.getByLabel('Organisation').fill('Analytical Engines')
    await page.getByLabel('Subdomain').fill('www')
    await page.getByLabel('Given name').fill('Ada')
    await page.getByLabel('Family name').fill('Lovelace')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('User name').fill('ada')
    await page.getByLabel('Password').fill('Difference@9')
    await page.getByRole('button').click()
    assert.match(await page.getByText('Subdomain is reserved').innerText(), /reserved/)
    assert.deepEqual(faults.splice(0).length, 1, 'the browser reports the status 400')
    await page.getByLabel('Subdomain').fill(organisation)
    await page.getByLabel('Password').fill('Difference@9')
    await page.getByRole('button').click()
    await page.getByRole('status').waitFor()
    await page.goto(await linkTo(email))
    await page.getByLabel('Password').fill('Difference@9')
    await page.getByRole('button').click()
    const said = await page.getByRole('status').innerText()
    assert.match(said, new RegExp(`Sign in to ${organisation} as ada`))
    const signIn = page.getByRole('link', { name: 'Sign in' })
    assert.match((await signIn.getAttribute('href')) ?? '', new RegExp(`/console\\?tenant=${organisation}$`))

    const { client } = await service.signIn('ada', organisation, 'Difference@9')
    const moved = `${uniqueName('new')}@example.com`
    assert.equal((await client.put('/api/users/me/email', { email: moved })).status, 202)
    await page.goto(await linkTo(moved))
    await page.getByText(`${moved} becomes the verified address of ada`).waitFor()
    await page.getByRole('button').click()
    await page.getByText(`The address ${moved} is verified`).waitFor()
    assert.equal((await client.get('/api/auth/me')).body.email, moved)
    assert.deepEqual(faults, [])
  })

  it('is readable in the colours of every tenant, with its logo, in light and dark and on a phone', async () => {
    const { id, admin } = await service.newTenant()
    const [light, dark] = ['Light', 'Dark'].map(
      (name) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><title>${name}</title></svg>`,
    )
    assert.equal((await admin.put('/api/tenant/brand/logo', light)).status, 200)
    const { logos } = (await admin.put('/api/tenant/brand/logo/dark', dark)).body
    const { page, faults } = await openPage(browser, service.url)
    for (const brandColor of ['#ffd400', '#0b1f4d', '#8a8a8a']) {
      await admin.put('/api/tenant/settings', { brandColor })
      await page.goto(`${service.url}/account/forgot-password?tenant=${id}`)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      assert.deepEqual(await violationsOf(page), [], brandColor)
      await showsLogo(page, logos.light)
      await page.setViewportSize({ width: 360, height: 780 })
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await violationsOfLooks(page), [], brandColor)
      await showsLogo(page, logos.dark)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await page.goto(`${service.url}/account/reset-password?tenant=${id}&token=used`)
      await page.getByRole('link', { name: 'Sign in' }).waitFor()
      assert.deepEqual(await violationsOf(page), [], brandColor)
    }
    assert.deepEqual(faults, [])
  })
})

/** Waits until the page shows the logo. */
async function showsLogo(page: Page, address: string): Promise<void> {
  const logo = "document.querySelector('.brand img')"
  const state = () => page.evaluate<unknown[]>(`[${logo}.currentSrc, ${logo}.naturalWidth]`)
  await eventually('the logo', soonMs, async () => isDeepStrictEqual(await state(), [address, 120]))
}
