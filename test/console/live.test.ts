/** Changes of others appear without loading the page again; texts are in the language of the browser. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertFaultless, inBrowser, openConsole, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'

inBrowser('A change of somebody else', (scene) => {
  it('appears in the list and in the row', async () => {
    const { service, browser } = scene
    const tenant = await service.newTenant()
    const { id } = (await tenant.admin.post('/api/products', { name: 'Oak desk', price: 1 })).body
    const list = await openConsole(browser, service, '/entities/product', { tenantId: tenant.id })
    await list.page.getByText('Shows changes of others as they happen').waitFor({ state: 'attached' })
    await tenant.admin.post('/api/products', { name: 'Lamp', price: 2 })
    await eventually('the new row', soonMs, async () => (await titlesOf(list.page)).includes('Lamp'))

    await list.page.getByRole('link', { name: 'Oak desk' }).click()
    const price = list.page.locator('dt:text-is("Price") + dd')
    await price.filter({ hasText: '1.00' }).waitFor()
    await list.page.evaluate('globalThis.isSamePage = true')
    await eventually('the change', soonMs, async () => {
      await tenant.admin.patch(`/api/products/${id}`, { price: 7.5 })
      return (await price.innerText()) === '7.50'
    })
    assert.equal(await list.page.evaluate('globalThis.isSamePage'), true)
    assertFaultless(list)
    await list.page.close()
  })
})

inBrowser(
  'A browser in French',
  (scene) => {
    it('shows the console in French, until another language is chosen', async () => {
      const { service, browser } = scene
      const tenant = await service.newTenant()
      await tenant.admin.post('/api/products', { name: 'Bureau', price: 1234.5 })
      const opened = await openConsole(browser, service, '/entities/product', {
        tenantId: tenant.id,
        locale: 'fr-FR',
      })
      const { page } = opened
      await page.getByRole('button', { name: 'Se déconnecter' }).waitFor()
      await page.getByRole('cell', { name: /^1\s234,50$/ }).waitFor()
      assert.equal(await page.evaluate('document.documentElement.lang'), 'fr')
      await page.getByLabel('Langue').selectOption('en')
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      await page.getByRole('cell', { name: '1,234.50' }).waitFor()
      assertFaultless(opened)
      await page.close()
    })
  },
  { databases: ['sqlite'] },
)
