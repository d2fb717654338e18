/** No page of the console violates its policy or asks another host. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'

inBrowser(
  'Every page of the console',
  (scene) => {
    it('loads from the service alone, within its policy', async () => {
      const { service, browser } = scene
      const opened = await openConsole(browser, service, '', { tenantId: 'default', userName: 'admin' })
      const { page } = opened
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
      const links = page.getByRole('navigation').getByRole('link')
      const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      assert.ok(addresses.length > 20, `${addresses}`)
      for (const address of [...new Set(addresses)]) {
        await page.goto(`${service.url}${address}`)
        await page.locator('main h1').first().waitFor()
        await page.locator('.loading, [aria-busy="true"]').first().waitFor({ state: 'detached' })
      }
      // The host has no identity provider.
      assertFaultless(opened, 404)
      await page.close()
    })
  },
  { databases: ['sqlite'] },
)
