/** Rows of a list at once: files of them out and in, and those that are chosen. */
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

/** More than one page of what the service gives at most. */
const desks = 210

inBrowser('The rows of a list', (scene) => {
  let tenant: TestTenant
  let opened: WatchedPage
  let page: Page
  before(async () => {
    tenant = await scene.service.newTenant()
    const names = Array.from({ length: desks }, (_, index) => `Desk ${`${index}`.padStart(3, '0')}`)
    await insertProducts(scene.service, tenant.id, [...names, formula])
    opened = await openConsole(scene.browser, scene.service, '', { tenantId: tenant.id })
    page = opened.page
  })
  after(() => assertFaultless(opened, 400))

  const goTo = async (query: string) => {
    await page.goto(`${scene.service.url}/console/entities/product${query}`)
    await titlesOf(page)
  }
  const openMenu = () => page.getByText('More', { exact: true }).click()

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
        { name: formula, price: desks / 100, isActive: true },
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
    assert.equal(rows.length, desks)
  })

  it('has chosen rows deleted, all that are shown', async () => {
    await goTo('?name[istartsWith]=Desk%2001')
    assert.equal((await titlesOf(page)).length, 10)
    await page.getByRole('checkbox', { name: 'Choose all rows of the page' }).check()
    await page.getByRole('checkbox', { name: 'Choose Desk 015' }).uncheck()
    await page.getByText('9 chosen').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await eventually('one row', soonMs, async () => `${await titlesOf(page)}` === 'Desk 015')
    assert.deepEqual((await tenant.admin.get('/api/products?name[istartsWith]=Desk%2001')).body.length, 1)
  })
})
