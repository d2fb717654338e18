/** The pages of the tenant and of its operation in Chromium. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import {
  atAnyCost,
  password,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../support/service.ts'
import { closePages, openConsoleAs } from './administrator.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('The console of an operator', { skip: chromiumPath === null && noBrowser }, () => {
  let service: TestService
  let browser: Browser
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {}, atAnyCost)
    browser = await startBrowser(chromiumPath ?? '')
    tenant = await service.newTenant()
  })
  afterEach(() => closePages(browser))
  after(async () => {
    await browser.close()
    await service.stop()
  })

  const openAs = (name: string, of: string, path: string) =>
    openConsoleAs(service, browser, { name, tenant: of }, path)
  const openAsBoss = (path: string) => openAs('boss', tenant.id, path)

  it('creates a tenant with an administrator, and suspends it only when its id is typed', async () => {
    const { page, faults } = await openAs('admin', 'default', '/tenants/new')
    const id = uniqueName('acme')
    await page.getByLabel('Id', { exact: false }).first().fill(id)
    await page.getByLabel('Name').first().fill('Acme')
    await page.getByLabel('Given name').fill('Wile')
    await page.getByLabel('Family name').fill('Coyote')
    await page.getByLabel('User name').fill('wile')
    await page.getByLabel('Email').fill('wile@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('ready').waitFor()
    await service.signIn('wile', id)
    await page.getByRole('button', { name: 'Suspend' }).click()
    const suspend = page.getByRole('dialog').getByRole('button', { name: 'Suspend' })
    await page.getByLabel('to confirm').fill('acme')
    assert.equal(await suspend.isDisabled(), true)
    await page.getByLabel('to confirm').fill(id)
    await suspend.click()
    await page.getByText('suspended').waitFor()
    assert.equal((await service.host.get(`/api/tenants/${id}`)).body.isActive, false)
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('active', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  it('changes settings by a form that follows their schema, and shows the brand before it is saved', async () => {
    const { page, faults } = await openAsBoss('/settings')
    await page.getByLabel('Brand name').fill('Acme Shop')
    await page.getByLabel('Brand color').fill('#11703b')
    await page.getByLabel('How your customers see it').getByText('Acme Shop').waitFor()
    const colour = await page.evaluate("getComputedStyle(document.querySelector('.brand-name')).color")
    assert.equal(colour, 'rgb(17, 112, 59)')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await tenant.admin.get('/api/tenant/settings')
    assert.deepEqual([body.brandName, body.brandColor], ['Acme Shop', '#11703b'])
    await tenant.admin.put('/api/tenant/settings', { brandName: 'Other' })
    await page.getByLabel('Brand color').fill('#000000')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody has changed the settings' })
    await dialog.getByRole('row', { name: 'Acme Shop Other' }).waitFor()
    const stored = async () => {
      const { brandName, brandColor } = (await tenant.admin.get('/api/tenant/settings')).body
      return [brandName, brandColor]
    }
    assert.deepEqual(await stored(), ['Other', '#11703b'])
    assert.equal(await page.getByLabel('Brand color').inputValue(), '#000000')
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Saved.').waitFor()
    assert.deepEqual(await stored(), ['Acme Shop', '#000000'])
    assert.equal(faults.length, 1, 'the browser reports the status 412')
  })

  it('invites somebody, and withdraws the invitation', async () => {
    const { page, faults } = await openAsBoss('/invitations')
    const email = `${uniqueName('guest')}@example.com`
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('cell', { name: email }).waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('Nobody is invited at present.').waitFor()
    assert.deepEqual((await tenant.admin.get('/api/invitations')).body, [])
    assert.deepEqual(faults, [])
  })

  it('hides the pages for which a user has no permission, also from an address that is typed', async () => {
    const { page, faults } = await openAs('worker', tenant.id, '/users')
    await page.getByText('There is nothing at this address.').waitFor()
    const links = await page.getByRole('navigation').getByRole('link').allInnerTexts()
    assert.ok(links.includes('Your account'))
    for (const hidden of ['Users', 'Roles', 'API keys', 'Tenants', 'Audit'])
      assert.ok(!links.includes(hidden))
    assert.deepEqual(faults, [])
  })

  it('fits every page of an administrator into 360 px', async () => {
    const { page, faults } = await openAs('admin', 'default', '')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    for (const path of await pathsOf(page)) {
      await page.goto(new URL(path, service.url).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
    }
    const missing = faults.filter((fault) => fault.includes('status of 404'))
    assert.equal(missing.length, 1, 'the host has no single sign-on')
    assert.equal(faults.length, missing.length, faults.join())
  })
})

async function pathsOf(page: Page): Promise<string[]> {
  const links = await page.locator('nav.side li a').all()
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
}
