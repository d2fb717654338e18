/** The console in the colours of tenants is readable, in light and in dark, on a desk and on a phone. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { violationsOfLooks } from '../support/accessibility.ts'
import { inBrowser, openOwnConsole } from '../support/console.ts'
import { lookInAllViews, wide } from './brand-pages.ts'

inBrowser('The console in the colour of a tenant', (scene) => {
  it('is readable where much is shown, whatever the colour is', async () => {
    const { service, browser } = scene
    const { admin, id: tenantId } = await service.newTenant()
    await admin.post('/api/products', { name: 'Oak desk', price: 10 })
    const { page } = await openOwnConsole(browser, service, '', { tenantId, viewport: wide })
    const found: string[] = []
    for (const brandColor of ['#ffd400', '#0b1f4d', '#e5007a']) {
      await admin.put('/api/tenant/settings', { brandColor })
      await page.goto(`${service.url}/console/entities/product`)
      await page.getByRole('checkbox', { name: 'Choose Oak desk' }).check()
      await lookInAllViews(page, brandColor, { found, rulesInLight: violationsOfLooks })
    }
    assert.deepEqual(found, [])
  })
})
