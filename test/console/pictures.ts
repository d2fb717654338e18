/** `npm run console-pictures`: writes pictures of the console into `docs/images`, light, dark and narrow. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { migrated } from '../entity/migrated.ts'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import type { Client } from '../support/client.ts'
import { openConsole } from '../support/console.ts'
import { startService } from '../support/service.ts'

const folder = resolve(import.meta.dirname, '../../docs/images')
const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }

if (chromiumPath === null) throw new Error('There is no Chromium; CHROMIUM_PATH says where another one is.')
mkdirSync(folder, { recursive: true })
const service = await startService('sqlite', {}, { features: migrated([customer, invoice]) })
const browser = await startBrowser(chromiumPath)
try {
  const tenant = await service.newTenant({ name: 'Nordic Timber' })
  const invoiceId = await fill(tenant.admin)
  const { page } = await openConsole(browser, service, '', { tenantId: tenant.id, viewport: wide })
  const visit = async (path: string, ready: string) => {
    await page.goto(`${service.url}/console${path}`)
    await page.getByText(ready).first().waitFor()
  }
  await visit('/entities/product?sort=name', 'Walnut desk')
  await picture(page, 'list')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'list-dark')
  await visit(`/entities/invoice/${invoiceId}`, 'Lines')
  await picture(page, 'row-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await picture(page, 'row')
  await visit('', 'Next steps')
  await picture(page, 'home')
  await page.setViewportSize(narrow)
  await visit('/entities/product/new', 'Category')
  await picture(page, 'form-narrow')
  await visit('/entities/product?sort=name', 'Walnut desk')
  await picture(page, 'list-narrow')
} finally {
  await browser.close()
  await service.stop()
}

async function picture(page: Page, name: string): Promise<void> {
  await page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
  await page.screenshot({ path: join(folder, `console-${name}.png`), animations: 'disabled' })
}

/** @returns the id of an invoice */
async function fill(admin: Client): Promise<string> {
  const made = async (path: string, body: object): Promise<string> => (await admin.post(path, body)).body.id
  const desks = await made('/api/categories', { name: 'Desks' })
  const lamps = await made('/api/categories', { name: 'Lamps' })
  for (const [name, price, categoryId, description] of [
    ['Walnut desk', 349.9, desks, 'A desk of solid walnut.'],
    ['Oak desk', 499, desks, 'A desk of solid oak, oiled.'],
    ['Standing desk', 629.5, desks, null],
    ['Reading lamp', 39.9, lamps, 'Warm light, three steps.'],
    ['Floor lamp', 119, lamps, null],
  ] as const)
    await made('/api/products', { name, price, categoryId, description })
  const customerId = await made('/api/customers', { name: 'Öko Haus', email: 'buying@oeko.example' })
  const lines = [
    { text: 'Walnut desk', quantity: 2, price: 349.9 },
    { text: 'Reading lamp', quantity: 4, price: 39.9 },
  ]
  return made('/api/invoices', { customerId, lines, note: 'Delivery in the second week.' })
}
