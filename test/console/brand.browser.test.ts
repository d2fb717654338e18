/** The name, the logo and the colour of a tenant, in the console and before the sign-in. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openPage } from '../support/browser.ts'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#0b6e69"/></svg>'

inBrowser('The brand of a tenant', (scene) => {
  it('is chosen in the settings, and stands in the console and at the sign-in', async () => {
    const tenant = await scene.service.newTenant()
    const opened = await openConsole(scene.browser, scene.service, '/settings', { tenantId: tenant.id })
    const { page } = opened
    await page.getByLabel('Brand name').fill('Harbour Café')
    await page.getByLabel('Brand color').fill('#ffd400')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const menu = page.locator('.tenant-menu summary')
    await menu.getByText('Harbour Café').waitFor()
    await page.getByLabel('Choose a logo', { exact: true }).setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(logo),
    })
    await page.getByRole('img', { name: 'Logo on light ground' }).waitFor()
    await menu.locator('img').waitFor()
    await page.getByLabel('Choose a logo', { exact: true }).setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('some'),
    })
    await page.getByRole('alert').getByText('notes.txt is no PNG, WebP or SVG').waitFor()
    await menu.click()
    const address = (await page.locator('.tenant-menu code').innerText()).trim()
    assertFaultless(opened)

    // The ground of the button has the colour, on which white would not be readable.
    const stranger = await openPage(scene.browser, address)
    const button = stranger.page.getByRole('button', { name: 'Sign in', exact: true })
    await stranger.page.getByText('Harbour Café').waitFor()
    assert.equal(await stranger.page.getByLabel('Tenant', { exact: true }).inputValue(), tenant.id)
    await eventually('the colour', soonMs, async () =>
      /rgb\(255, 2\d\d, \d+\)/.test(await button.evaluate((each) => getComputedStyle(each).backgroundColor)),
    )
    assert.notEqual(await button.evaluate((each) => getComputedStyle(each).color), 'rgb(255, 255, 255)')
    assertFaultless(stranger)
  })
})
