/** Lists: what is shown is in the address; several rows at once; files out and in. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { insertProducts } from '../support/product-rows.ts'
import type { TestTenant } from '../support/service.ts'

const formula = '=HYPERLINK("https://example.com")'

inBrowser('A list', (scene) => {
  let tenant: TestTenant
  let opened: WatchedPage
  let page: Page
  before(async () => {
    tenant = await scene.service.newTenant()
    const names = Array.from({ length: 60 }, (_, index) => `Desk ${`${index}`.padStart(2, '0')}`)
    await insertProducts(scene.service, tenant.id, [...names, formula])
    opened = await openConsole(scene.browser, scene.service, '', { tenantId: tenant.id })
    page = opened.page
  })
  after(() => assertFaultless(opened, 400))

  const shows = (titles: readonly string[]) =>
    eventually(`${titles}`, soonMs, async () => `${await titlesOf(page)}` === `${titles}`)
  const goTo = async (query: string) => {
    await page.goto(`${scene.service.url}/console/entities/product${query}`)
    await titlesOf(page)
  }

  const openMenu = () => page.getByText('More', { exact: true }).click()

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
    await page.getByText('61', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await eventually('the second page', soonMs, async () => (await titlesOf(page)).length === 11)
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

  it('is saved as CSV, without formulas, and read again with a report of what was refused', async () => {
    await goTo('?sort=name&name[istartsWith]=%3D')
    await openMenu()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'products.csv')
    const csv = readFileSync(await download.path(), 'utf8')
    const [head, line] = csv.split('\r\n')
    assert.match(head ?? '', /^id,name,description,price,isActive,categoryId,createdAt,updatedAt$/)
    assert.ok(line?.includes(`"'${formula.replaceAll('"', '""')}"`), csv)

    const rows = `${csv}x,"Lamp, ""tall""\nwith a shade",,2.5,false\r\nx,Chair,,-1,true\r\n`
    await page.getByRole('link', { name: 'Import' }).click()
    await control(page, 'Choose a file').setInputFiles({
      name: 'rows.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows),
    })
    await page.getByText('3 rows were read. These are the first:').waitFor()
    await page.getByRole('button', { name: 'Create 3 rows' }).click()
    await page.getByText('2 created, 1 refused.').waitFor()
    await page.getByRole('row', { name: /^3 \S/ }).waitFor()
    const { body } = await tenant.admin.get('/api/products?sort=-createdAt&limit=2')
    assert.deepEqual(
      body.map(({ name, price, isActive }: Record<string, unknown>) => ({ name, price, isActive })),
      [
        { name: 'Lamp, "tall"\nwith a shade', price: 2.5, isActive: false },
        { name: formula, price: 0.6, isActive: true },
      ],
    )
  })

  it('is saved as JSON, all pages of it', async () => {
    await goTo('?sort=name&name[istartsWith]=Desk')
    await openMenu()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export JSON' }).click(),
    ])
    const rows: unknown[] = JSON.parse(readFileSync(await download.path(), 'utf8'))
    assert.equal(rows.length, 60)
  })

  it('has chosen rows deleted, all that are shown', async () => {
    await goTo('?name[istartsWith]=Desk%201')
    assert.equal((await titlesOf(page)).length, 10)
    await page.getByRole('checkbox', { name: 'Choose all rows of the page' }).check()
    await page.getByRole('checkbox', { name: 'Choose Desk 15' }).uncheck()
    await page.getByText('9 chosen').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await shows(['Desk 15'])
    assert.deepEqual((await tenant.admin.get('/api/products?name[istartsWith]=Desk%201')).body.length, 1)
  })
})
