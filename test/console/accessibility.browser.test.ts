/**
 * Every page of the console keeps its policy, fits on a narrow screen, and breaks no rule of accessibility, in light and
 * in dark.
 */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf, violationsOfLooks } from '../support/accessibility.ts'
import { openPage } from '../support/browser.ts'
import { agree, assertFaultless, control, inBrowser, openOwnConsole, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }
const options = { viewport: wide, colorScheme: 'light' } as const

inBrowser('A page of the console', (scene) => {
  let tenant: TestTenant
  let invoiceId: string
  let customerId: string
  before(async () => {
    tenant = await scene.service.newTenant()
    const { id: categoryId } = (await tenant.admin.post('/api/categories', { name: 'Desks' })).body
    await tenant.admin.post('/api/products', { name: 'Oak desk', price: 10, categoryId })
    customerId = (await tenant.admin.post('/api/customers', { name: 'Nordic Timber' })).body.id
    const lines = [{ text: 'Desk', quantity: 2, price: 49.9 }]
    await tenant.admin.post('/api/tenant/sso/domains', { domain: 'acme.example' })
    invoiceId = (await tenant.admin.post('/api/invoices', { customerId, lines })).body.id
  })

  it('can be read and used by everybody', async () => {
    const { service, browser } = scene
    const found: string[] = []
    const signedOut = await openPage(browser, `${service.url}/console`, options)
    await signedOut.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await look(signedOut.page, 'sign-in', found)
    await signedOut.page.close()

    const opened = await openOwnConsole(browser, service, '', { tenantId: tenant.id, ...options })
    const { page } = opened
    const visit = async (path: string, ready: () => Promise<unknown>) => {
      await show(page, path)
      await ready()
      await look(page, path, found)
    }
    const heading = (name: string | RegExp) => () => page.getByRole('heading', { name }).first().waitFor()
    await heading(/^Good \w+, Ada$/)()
    await look(page, 'home', found)
    await visit('/entities/product', () => page.getByRole('link', { name: 'Desks' }).waitFor())
    await visit('/entities/product?name[icontains]=chair', () =>
      page.getByText('No products match').waitFor(),
    )
    await visit('/entities/order', () => page.getByText('There are no orders yet.').waitFor())
    await visit(`/entities/invoice/${invoiceId}`, heading(/^Invoice \d/))
    await visit(`/entities/customer/${customerId}?tab=invoice.customerId`, () =>
      page.getByRole('link', { name: /^Invoice \d/ }).waitFor(),
    )
    await visit(`/entities/customer/${customerId}`, async () => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await control(page, 'Email').fill('a@nordic.example')
      await page.getByText('1 change', { exact: true }).waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Saved.').waitFor()
      await control(page, 'Email').fill('b@nordic.example')
    })
    await visit('/entities/invoice/new', async () => {
      await agree(page) // to save what is typed
      await heading('New invoice')()
    })
    await visit('/entities/product/import', heading('Import products'))
    await visit('/developers', heading('Developers'))
    await visit('/account', heading('Passkeys'))
    await visit('/portal-sessions', () => page.getByText('No session is open.').waitFor())
    await visit('/portal-sessions/new', async () => {
      await page.getByRole('checkbox', { name: 'It may also change' }).check()
      await page.getByRole('checkbox', { name: 'order.paid' }).waitFor()
    })
    await visit('/single-sign-on', async () => {
      await agree(page) // to leave what is ticked
      await page.getByRole('cell', { name: 'acme.example', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Add a group' }).click()
      await page.getByRole('group', { name: 'Roles of the group' }).waitFor()
    })
    await visit('/entities/invoice/nothing', async () => {
      await agree(page)
      await page.getByRole('alert').waitFor()
    })
    await visit('/nowhere', () => page.getByRole('alert').waitFor())
    await visit('/entities/product/new', async () => {
      await page.getByRole('button', { name: 'Create' }).click()
      await page.locator('[aria-invalid]:focus').waitFor() // a refusal moves there
      const optional = await page.locator('.field-head:has(.optional) label').allInnerTexts()
      assert.deepEqual(
        optional.filter((label) => /Name|Category|Description/.test(label)),
        ['Description optional', 'Category optional'],
      )
      await control(page, 'Category').focus()
      await page.getByRole('option', { name: 'Desks' }).waitFor()
    })
    await visit('/entities/product?sort=name', async () => {
      await page.getByText('More', { exact: true }).click()
      await page.getByRole('link', { name: 'Import' }).waitFor()
    })
    await visit('/entities/product', async () => {
      await page.getByRole('button', { name: 'Add a filter' }).click()
      await page.getByRole('dialog').waitFor()
    })
    assert.deepEqual(found, [])
    assertFaultless(opened, 400, 404)
  })

  it('of the host fits on a narrow screen, and can be used by everybody', async () => {
    const user = { tenantId: 'default', userName: 'admin', ...options }
    const opened = await openOwnConsole(scene.browser, scene.service, '', user)
    const { page } = opened
    await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
    const links = page.getByRole('navigation').locator('li').getByRole('link')
    const paths = new Set<string>()
    for (const area of ['Settings', 'Operate']) {
      await page.getByRole('link', { name: area }).click()
      await page.getByRole('navigation', { name: area }).waitFor()
      for (const address of await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
        paths.add((address ?? '').slice('/console'.length))
    }
    assert.ok(paths.size > 20, `${[...paths]}`)
    const found: string[] = []
    for (const path of [...paths, `/tenants/${tenant.id}`]) {
      await show(page, path)
      await page.locator('main h1').first().waitFor()
      await page.locator('.loading, [aria-busy="true"]').first().waitFor({ state: 'detached' })
      if (isOfOperators.test(path)) await look(page, path, found)
      else found.push(...(await excessOf(page, path)))
    }
    assert.deepEqual(found, [])
    assertFaultless(opened, 404) // the host has no identity provider
  })
})

/** Of others a tenant has a page as well. */
const isOfOperators = /^\/(health|operations|figures|instances|audit|tenants|sign-ups)/

/** Whatever is shown is within the screen, and names itself. */
async function look(page: Page, what: string, found: string[]): Promise<void> {
  // Until its rows are those of the new address, a table shows those of the former one.
  const former = page.locator('.is-loading')
  await eventually('the rows', soonMs, async () => (await former.count()) === 0)
  found.push(...(await violationsOf(page)).map((violation) => `${what}: ${violation}`))
  found.push(...(await doublyMarked(page)).map((label) => `${what}: ${label} is required and optional`))
  await page.setViewportSize(narrow)
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await excessNow(page, what)))
  found.push(...(await violationsOfLooks(page)).map((violation) => `${what}, dark and narrow: ${violation}`))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
  found.push(...(await excessNow(page, what)))
}

/** A field is marked if it may be left empty, and no other is. */
function doublyMarked(page: Page): Promise<string[]> {
  return page
    .locator('.field:has(.optional):has([required], [aria-required]) label')
    .or(page.locator('.field label:has-text("(required)")'))
    .allInnerTexts()
}

async function excessOf(page: Page, what: string): Promise<string[]> {
  await page.setViewportSize(narrow)
  const excess = await excessNow(page, what)
  await page.setViewportSize(wide)
  return excess
}

async function excessNow(page: Page, what: string): Promise<string[]> {
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  return excess > 0 ? [`${what}, ${page.viewportSize()?.width} px: ${excess} px too wide`] : []
}
