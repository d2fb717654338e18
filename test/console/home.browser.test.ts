/** The first page, favourites, and rows in the palette. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { insertProducts } from '../support/product-rows.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser('The first page', (scene) => {
  let tenant: TestTenant
  let opened: WatchedPage
  let page: Page
  beforeEach(async () => {
    tenant = await scene.service.newTenant()
  })

  const open = async (path: string) => {
    opened = await openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
    page = opened.page
  }

  it('counts the rows, leads to what the user changed last, and ticks what is done', async () => {
    const { body } = await tenant.admin.post('/api/customers', { name: 'Öko Haus' })
    await open('')
    const figures = page.getByRole('region', { name: 'Figures' })
    await figures.getByRole('link', { name: /^Customers 1 \+1 in 14 days/ }).waitFor()
    await figures.getByRole('link', { name: /^Invoices 0/ }).waitFor()
    const names = "[...document.querySelectorAll('.figure-card .truncate')].map((each) => each.textContent)"
    const named = "[...document.querySelectorAll('.sidebar li a')].map((each) => each.textContent)"
    const inNavigation = await page.evaluate<string[]>(named)
    const shown = await page.evaluate<string[]>(names)
    assert.deepEqual(
      shown,
      inNavigation.filter((each) => shown.includes(each)),
    )
    await page.getByText('Nothing waits for you.').waitFor()
    const edges =
      "[...document.querySelectorAll('.halves section')].map((each) => getComputedStyle(each).borderTopWidth)"
    assert.deepEqual(await page.evaluate(edges), ['1px', '1px', '1px', '1px'], 'each part is a card')
    const { steps } = (await tenant.admin.get('/api/home')).body
    const done = steps.filter(({ isDone }: { isDone: boolean }) => isDone).length
    await page.getByRole('progressbar', { name: `${done} of ${steps.length} done` }).waitFor()
    await page.getByRole('link', { name: 'Use an API key' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Create the first row' }).count(), 0)
    await page.getByRole('link', { name: /^Öko Haus/ }).click()
    await page.getByRole('heading', { name: 'Öko Haus' }).waitFor()
    assert.ok(page.url().endsWith(`/entities/customer/${body.id}`))
    assertFaultless(opened)
  })

  it('hides the steps of setting up for good', async () => {
    await open('')
    await page.getByRole('button', { name: 'Hide' }).click()
    assert.equal(await page.getByRole('progressbar').count(), 0)
    await eventually('the choice is stored', soonMs, async () => {
      const { body } = await tenant.admin.get('/api/preferences')
      return body.some(
        ({ name, value }: { name: string; value: unknown }) => /SetUp$/.test(name) && value === true,
      )
    })
    await page.evaluate(() => localStorage.removeItem('tenantry.preferences'))
    await page.reload()
    await page.getByText('Nothing waits for you.').waitFor()
    await eventually(
      'they stay away',
      soonMs,
      async () => (await page.getByRole('progressbar').count()) === 0,
    )
    assertFaultless(opened)
  })

  it('has what the user stars, with its filters and in the chosen order', async () => {
    await open('/entities/product?name[icontains]=chair')
    await page.getByRole('button', { name: 'Add to favourites' }).click()
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add to favourites' }).waitFor()
    await page.keyboard.press('s')
    const favourites = page.locator('.sidebar .entries > div', { hasText: 'Favourites' }).getByRole('link')
    await eventually('both are there', soonMs, async () => (await favourites.count()) === 2)
    await page.locator('.user-menu summary').click()
    await page.getByLabel('Keys without Ctrl').selectOption('off')
    await page.keyboard.press('Escape')
    await page.locator('main h1').click()
    await page.keyboard.press('s')
    assert.equal(await favourites.count(), 2, 'the key is switched off')
    await page.evaluate("localStorage.removeItem('tenantry.singleKeys')")
    await favourites.last().focus()
    await page.keyboard.press('Alt+ArrowUp')
    assert.deepEqual(await favourites.allInnerTexts(), ['Customers', 'Products'])
    await page.getByRole('button', { name: 'Remove from favourites' }).waitFor()
    await eventually('they are stored', soonMs, async () => {
      const { body } = await tenant.admin.get('/api/preferences')
      const [stored] = body.filter(({ name }: { name: string }) => name === 'favourites')
      return stored?.value.length === 2 && stored.value[0].label === 'Customers'
    })
    await favourites.last().click()
    await page.getByText('No products match').waitFor()
    assert.equal(new URL(page.url()).search, '?name%5Bicontains%5D=chair')
    await page.reload()
    await page.getByRole('button', { name: 'Remove from favourites' }).waitFor()
    assertFaultless(opened)
  })

  it('leads to any row by its text, in one list alone after Tab, and to what was seen last', async () => {
    await insertProducts(scene.service, tenant.id, ['Product one', 'Product two'])
    await tenant.admin.post('/api/customers', { name: 'Product lovers' })
    await open('/entities/customer')
    await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or jump…' })
    await palette.getByRole('option', { name: 'Customers', exact: true }).first().waitFor()
    assert.equal(await palette.getByRole('group').first().getAttribute('aria-label'), 'Seen last')
    await page.keyboard.type('product lov')
    await palette
      .getByRole('group', { name: 'Customers' })
      .getByRole('option', { name: 'Product lovers' })
      .waitFor()
    await page.keyboard.press('Tab')
    await palette.getByRole('button', { name: 'Search everywhere' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Where you are' }).getByText('Product lovers').waitFor()
    await page.keyboard.press('Control+k')
    await palette.getByRole('option', { name: /^Product lovers/ }).waitFor()
    await page.keyboard.press('Escape')
    assertFaultless(opened)
  })
})
