/** Lists: what is shown is in the address. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { insertProducts } from '../support/product-rows.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser('A list', (scene) => {
  let tenant: TestTenant
  let opened: WatchedPage
  let page: Page
  before(async () => {
    tenant = await scene.service.newTenant()
    const names = Array.from({ length: 60 }, (_, index) => `Desk ${`${index}`.padStart(2, '0')}`)
    await insertProducts(scene.service, tenant.id, names)
    opened = await openConsole(scene.browser, scene.service, '', { tenantId: tenant.id })
    page = opened.page
  })
  after(() => assertFaultless(opened))

  const shows = (titles: readonly string[]) =>
    eventually(`${titles}`, soonMs, async () => `${await titlesOf(page)}` === `${titles}`)
  const goTo = async (query: string) => {
    await page.goto(`${scene.service.url}/console/entities/product${query}`)
    await titlesOf(page)
  }

  it('has filters and sorts in its address', async () => {
    await goTo('')
    await page.getByRole('button', { name: 'Add a filter' }).click()
    const dialog = page.getByRole('dialog')
    await control(dialog, 'Field').selectOption({ label: 'Price' })
    await control(dialog, 'Condition').selectOption({ label: 'is less than' })
    await control(dialog, 'Value').fill('0.03')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await shows(['Desk 00', 'Desk 01', 'Desk 02'])
    await page.getByRole('button', { name: /^Name/ }).click()
    await page.getByRole('button', { name: /^Name/ }).click()
    await shows(['Desk 02', 'Desk 01', 'Desk 00'])
    assert.equal(
      await page.getByRole('columnheader', { name: /^Name/ }).getAttribute('aria-sort'),
      'descending',
    )
    assert.equal(new URL(page.url()).searchParams.get('price[lt]'), '0.03')

    await page.reload()
    await shows(['Desk 02', 'Desk 01', 'Desk 00'])
    await page.goBack()
    await shows(['Desk 00', 'Desk 01', 'Desk 02'])
    await page.getByRole('button', { name: 'Remove: Price' }).click()
    await eventually('all rows', soonMs, async () => (await titlesOf(page)).length === 50)
  })

  it('is searched, and says when nothing matches', async () => {
    await goTo('')
    await page.getByRole('searchbox', { name: 'Search' }).fill('k 41')
    await page.keyboard.press('Enter')
    await shows(['Desk 41'])
    await page.getByRole('searchbox', { name: 'Search' }).fill('chair')
    await page.keyboard.press('Enter')
    await page.getByText('No products match these filters.').waitFor()
  })

  it('has pages and a count', async () => {
    await goTo('?sort=name')
    await page.getByText('60', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await eventually('the second page', soonMs, async () => (await titlesOf(page)).length === 10)
    assert.equal((await titlesOf(page)).at(-1), 'Desk 59')
    await page.getByRole('button', { name: 'First page' }).click()
    await eventually('the first page', soonMs, async () => (await titlesOf(page)).length === 50)
  })

  it('has columns to choose', async () => {
    await goTo('')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').getByLabel('Is active').uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    assert.equal(await page.getByRole('columnheader', { name: 'Is active' }).count(), 0)
    await page.reload()
    await titlesOf(page)
    assert.equal(await page.getByRole('columnheader', { name: 'Is active' }).count(), 0)
    assert.equal(await page.getByRole('columnheader', { name: 'Price' }).count(), 1)
  })
})
