/** A list of a hundred thousand rows. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { assertFaultless, control, inBrowser, openConsole, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { fillWithProducts } from '../support/product-rows.ts'
import { atAnyCost, type TestTenant } from '../support/service.ts'

const count = 100_000

inBrowser(
  'A list of many rows',
  (scene) => {
    let tenant: TestTenant
    before(async () => {
      tenant = await scene.service.newTenant()
      await fillWithProducts(scene.service, tenant, count, '')
    })

    it('counts them, has pages, and finds one of them', async () => {
      const opened = await openConsole(scene.browser, scene.service, '/entities/product', {
        tenantId: tenant.id,
      })
      const { page } = opened
      await page.getByText(`${count}`, { exact: true }).waitFor()
      const first = await titlesOf(page)
      assert.equal(first.length, 50)
      await page.getByRole('button', { name: 'Next page' }).click()
      await eventually('the second page', soonMs, async () => `${await titlesOf(page)}` !== `${first}`)
      const both = new Set([...first, ...(await titlesOf(page))])
      assert.equal(both.size, 100)
      await page.getByRole('searchbox', { name: 'Search' }).fill('Desk 99998')
      await page.keyboard.press('Enter')
      await eventually('the row', soonMs, async () => `${await titlesOf(page)}` === 'Desk 99998')
      await page.getByRole('link', { name: 'Desk 99998' }).click()
      await page.getByRole('heading', { name: 'Desk 99998' }).waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      await control(page, 'Name').waitFor()
      assertFaultless(opened)
      await page.close()
    })
  },
  { databases: ['sqlite'], ...atAnyCost },
)
