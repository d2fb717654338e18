/** Lists: what is shown is in the address; and the rows of a list at once: files out and in, and those that are chosen. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { WatchedPage } from '../support/browser.ts'
import {
  assertFaultless,
  control,
  inBrowser,
  openConsole,
  openSignedOut,
  show,
  titlesOf,
} from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { insertProducts } from '../support/product-rows.ts'
import { runsOf } from '../support/run/extent.ts'
import type { TestTenant } from '../support/service.ts'

const formula = '=HYPERLINK("https://example.com")'

/** More than one page of a list, and in `npm run test:all` as many as a tenant may have. */
const desks = runsOf(60, 100_000)

/** The only one with its number in its name. */
const sought = runsOf(41, 99_998)

inBrowser('A list', (scene) => {
  let tenant: TestTenant
  let opened: WatchedPage
  let page: Page
  before(async () => {
    tenant = await scene.service.newTenant()
    const names = Array.from({ length: desks }, (_, index) => `Desk ${`${index}`.padStart(2, '0')}`)
    await insertProducts(scene.service, tenant.id, [...names, formula])
  })
  beforeEach(async () => {
    opened = await openConsole(scene.browser, scene.service, '/entities/product', { tenantId: tenant.id })
    page = opened.page
    await titlesOf(page)
  })

  const shows = (titles: readonly string[]) =>
    eventually(`${titles}`, soonMs, async () => `${await titlesOf(page)}` === `${titles}`)
  const goTo = async (query: string, first: string) => {
    await show(page, `/entities/product${query}`)
    await eventually(first, soonMs, async () => (await titlesOf(page))[0] === first)
  }

  it('says of values in its address that are not valid, and shows the rest', async () => {
    const crafted = {
      'createdAt[gte]': 'today-99999999999',
      'price[gt]': 'abc',
      isActive: 'perhaps',
      categoryId: 'x',
      'name[constructor]': 'x',
      'price[lt]': '0.03',
      sort: 'name',
      view: 'constructor',
      layout: 'constructor',
      group: 'constructor',
      columns: 'constructor,name',
      from: 'NaN',
      tab: '%',
    }
    const useless = [
      'Created at today-99999999999',
      'Price abc',
      'Is active perhaps',
      'Category x',
      'Name x',
      'tab',
      'from',
    ]
    await goTo(`?${new URLSearchParams(crafted)}`, 'Desk 00')
    await shows(['Desk 00', 'Desk 01', 'Desk 02'])
    const chips = page.locator('.chip s')
    assert.deepEqual((await chips.allInnerTexts()).toSorted(), useless.toSorted())
    await page.locator('.chip', { hasText: 'Price abc' }).getByText('This value is not valid').waitFor()
    await page.getByRole('button', { name: 'Remove: createdAt[gte]' }).click()
    await eventually('a chip less', soonMs, async () => (await chips.count()) === useless.length - 1)
    await show(page, '/entities/product/new?price=abc&isActive=2&name=Oak')
    assert.equal(await control(page, 'Price').inputValue(), '')
    assert.equal(await control(page, 'Name').inputValue(), 'Oak')
    await show(page, '/audit?from=NaN&createdAt=abc')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    assertFaultless(opened)
  })

  it('has filters, sorts and columns in its address', async () => {
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
    const sorted = page.getByRole('columnheader', { name: /^Name/ })
    assert.equal(await sorted.getAttribute('aria-sort'), 'descending')
    assert.equal(new URL(page.url()).searchParams.get('price[lt]'), '0.03')
    await page.getByRole('button', { name: 'Columns' }).click()
    await dialog.getByLabel('Is active').uncheck()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const active = page.getByRole('columnheader', { name: 'Is active' })
    assert.equal(await active.count(), 0)

    await page.reload()
    await shows(['Desk 02', 'Desk 01', 'Desk 00'])
    assert.equal(await active.count(), 0)
    assert.equal(await page.getByRole('columnheader', { name: 'Price' }).count(), 1)
    await page.goBack()
    await active.waitFor()
    await page.goBack()
    await shows(['Desk 00', 'Desk 01', 'Desk 02'])
    await page.getByRole('button', { name: 'Remove: Price' }).click()
    await eventually('all rows', soonMs, async () => (await titlesOf(page)).length === 50)
    assertFaultless(opened)
  })

  it('has pages and a count, is searched, and says when nothing matches', async () => {
    await goTo('?sort=name', formula)
    await page.getByText((desks + 1).toLocaleString('en'), { exact: true }).waitFor()
    const first = await titlesOf(page)
    assert.equal(first.length, 50)
    await page.getByRole('button', { name: 'Next page' }).click()
    await eventually('the second page', soonMs, async () => `${await titlesOf(page)}` !== `${first}`)
    const second = await titlesOf(page)
    assert.equal(new Set([...first, ...second]).size, 50 + Math.min(50, desks + 1 - 50))
    await page.getByRole('button', { name: 'First page' }).click()
    await shows(first)
    await page.getByRole('searchbox', { name: 'Search' }).fill(`k ${sought}`)
    await page.keyboard.press('Enter')
    await eventually('the rows found', soonMs, async () => (await titlesOf(page))[0] === `Desk ${sought}`)
    await page.getByRole('searchbox', { name: 'Search' }).fill('chair')
    await page.keyboard.press('Enter')
    await page.getByText('No products match these filters.').waitFor()
    assertFaultless(opened)
  })

  it('without rows opens the form of a new one by a key once, so that one step leads back', async () => {
    const empty = await scene.service.newTenant()
    const { page: list } = await openConsole(scene.browser, scene.service, '/entities/category', {
      tenantId: empty.id,
    })
    await list.getByText('There are no categories yet.').waitFor()
    await list.keyboard.press('c')
    await list.getByRole('heading', { name: 'New category' }).waitFor()
    await list.goBack()
    await list.getByText('There are no categories yet.').waitFor()
  })

  it('is saved as CSV, without formulas, and read again with a report of what was refused', async () => {
    await goTo('?sort=name&name[istartsWith]=%3D', formula)
    await page.getByText('More', { exact: true }).click()
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
    await page.getByRole('row', { name: /^5 \S/ }).waitFor()
    const { body } = await tenant.admin.get('/api/products?sort=-createdAt&limit=2')
    assert.deepEqual(
      body.map(({ name, price, isActive }: Record<string, unknown>) => ({ name, price, isActive })),
      [
        { name: 'Lamp, "tall"\nwith a shade', price: 2.5, isActive: false },
        { name: formula, price: desks / 100, isActive: true },
      ],
    )
    assertFaultless(opened, 400)
  })

  it('is saved as JSON, all pages of it, and has chosen rows deleted, all that are shown', async () => {
    const names = Array.from({ length: 205 }, (_, index) => `Stool ${index}`)
    await insertProducts(scene.service, tenant.id, names)
    await goTo('?sort=createdAt&name[istartsWith]=Stool', 'Stool 0')
    await page.getByText('More', { exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export JSON' }).click(),
    ])
    const rows: { name: string }[] = JSON.parse(readFileSync(await download.path(), 'utf8'))
    assert.deepEqual(
      rows.map(({ name }) => name),
      names,
    )

    await goTo('?sort=createdAt&name[istartsWith]=Stool%2020', 'Stool 20')
    assert.equal((await titlesOf(page)).length, 6)
    await page.getByRole('checkbox', { name: 'Choose all rows of the page' }).check()
    await page.getByRole('checkbox', { name: 'Choose Stool 202' }).uncheck()
    await page.getByText('5 chosen').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await shows(['Stool 202'])
    assert.equal((await tenant.admin.get('/api/products?name[istartsWith]=Stool%2020')).body.length, 1)
    assertFaultless(opened)
  })
})

inBrowser('A browser in French', (scene) => {
  it('shows the console in French, until another language is chosen', async () => {
    const { service, browser } = scene
    const { id: tenantId, admin } = await service.newTenant()
    await admin.post('/api/products', { name: 'Bureau', price: 1234.5 })
    const { page: shared } = await openSignedOut(browser, service, '')
    const languages = "Object.defineProperty(navigator, 'languages', { value: ['fr-FR', 'en'] })"
    await using _inFrench = await shared.addInitScript(languages)
    const opened = await openConsole(browser, service, '/entities/product', { tenantId })
    const { page } = opened
    await page.getByRole('link', { name: 'Accueil' }).waitFor()
    await page.getByRole('gridcell', { name: /^1\s234,50$/ }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.lang'), 'fr')
    await page.locator('.user-menu summary').click()
    await page.getByLabel('Langue').selectOption('de')
    await page.getByRole('link', { name: 'Startseite' }).waitFor()
    await page.getByRole('gridcell', { name: '1.234,50' }).waitFor()
    await page.locator('.user-menu summary').click()
    await page.getByLabel('Sprache').selectOption('en')
    await page.getByRole('link', { name: 'Home' }).waitFor()
    await page.getByRole('gridcell', { name: '1,234.50' }).waitFor()
    await page.goto(new URL('/console/audit', service.url).href)
    const moment = page.locator('time .whole').first()
    await moment.waitFor({ state: 'attached' })
    assert.match((await moment.textContent()) ?? '', /^\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d{2}:\d{2}\b/) // not as the browser writes it
    assertFaultless(opened)
  })
})
