/** Pictures of what stands above a page, and of pages that are seldom seen: pickers, dialogs, menus, empty and missing. */
import type { Browser, Page } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { control, openOwnConsole } from '../support/console.ts'
import type { TestService, TestTenant } from '../support/service.ts'

type Take = (page: Page, name: string) => Promise<void>

interface Shown {
  page: Page
  open: (path: string) => Promise<void>
  take: Take
}

export async function takeOverlays(browser: Browser, service: TestService, tenant: TestTenant, take: Take) {
  const { page } = await openOwnConsole(browser, service, '', { tenantId: tenant.id })
  const open = async (path: string) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${service.url}/console${path}`)
    await page.locator('main h1').first().waitFor()
  }
  page.setDefaultTimeout(8000)
  const shown = { page, open, take }
  const [first] = (await tenant.admin.get('/api/tickets?sort=number')).body
  const [product] = (await tenant.admin.get('/api/products?sort=name')).body
  const change = (members: object) => tenant.admin.patch(`/api/products/${product.id}`, members)
  await change({ price: 129, description: 'Brushed steel, with a dimmer in the cable.' })
  await change({ name: 'Floor lamp, tall', isActive: false })
  await takeRow(shown, { ticketId: first.id, productId: product.id })
  await takeList(shown)
  await takeImport(shown)
  await takePeople(shown)
  await takeMissing(shown)
  const branded = await openPage(browser, `${service.url}/console?tenant=${tenant.id}`)
  await branded.page.getByText('Nordic Timber').first().waitFor()
  await take(branded.page, 'sign-in-branded')
}

async function takeRow({ page, open, take }: Shown, ids: Readonly<Record<'ticketId' | 'productId', string>>) {
  const id = ids.ticketId
  await open(`/entities/product/${ids.productId}?tab=history`)
  await page.locator('.timeline').waitFor()
  await take(page, 'history')
  await open(`/entities/ticket/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Choose a day' }).first().click()
  await take(page, 'date-picker')
  await open(`/entities/ticket/${id}`)
  await page.locator('summary').filter({ hasText: 'More actions' }).click()
  await take(page, 'row-menu')
  await open('/entities/product/new')
  await control(page, 'Category').click()
  await page.getByRole('option', { name: 'Desks' }).waitFor()
  await take(page, 'picker')
  await open('/entities/invoice/new')
  await take(page, 'form-lines')
}

async function takeList({ page, open, take }: Shown): Promise<void> {
  await open('/entities/ticket')
  await page.getByText('Filter', { exact: true }).click()
  await take(page, 'filter')
  await open('/entities/ticket?status=open')
  await page.getByRole('button', { name: /view/i }).first().click()
  await take(page, 'view-form')
  await open('/entities/ticket')
  await page.getByRole('button', { name: 'Columns' }).click()
  await take(page, 'columns')
  await open('/entities/ticket')
  await page.getByRole('checkbox', { name: 'Choose all rows of the page' }).check()
  await page.getByRole('button', { name: 'Change a field' }).click()
  await take(page, 'bulk-change')
  await open('/entities/ticket')
  const word = page.locator('tbody .can-edit .badge').first()
  await word.click()
  await take(page, 'cell-editor')
  await open('/entities/ticket?search=nothing-has-this')
  await take(page, 'no-match')
}

async function takeImport({ page, open, take }: Shown): Promise<void> {
  await open('/entities/product/import')
  const lines = [
    'name;price;isActive;colour',
    'Étagère;19.5;yes;red',
    'Lamp;0x10;no;',
    'Tall lamp;2;perhaps;',
    'Chair;12;no;',
  ]
  await control(page, 'Choose a file').setInputFiles({
    name: 'products.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
  })
  await page.locator('main table').first().waitFor()
  await take(page, 'import-mapping')
}

async function takePeople({ page, open, take }: Shown): Promise<void> {
  await open('/invitations?new')
  await page.getByRole('dialog').waitFor()
  await take(page, 'invite')
  await open('/api-keys')
  await page
    .getByRole('button', { name: /^New|^Create/ })
    .first()
    .click()
  await take(page, 'api-key-form')
  await open('')
  await page.locator('.sidebar details summary, .sidebar [aria-haspopup]').first().click()
  await take(page, 'tenant-tile')
  await open('')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').first().waitFor()
  await take(page, 'palette-empty')
}

async function takeMissing({ page, open, take }: Shown): Promise<void> {
  await open('/entities/order')
  await take(page, 'empty')
  await page.goto(
    page.url().replace('/entities/order', '/entities/ticket/01a21f2d-0000-7000-8000-000000000000'),
  )
  await page.locator('main h1').first().waitFor()
  await take(page, 'missing')
}
