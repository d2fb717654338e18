/** From a service without users to the first rows, without reading anything. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { createService, type Service } from '../../src/service/service.ts'
import { openPage, releaseBrowser, sharedBrowser } from '../support/browser.ts'
import { Client } from '../support/client.ts'
import { assertFaultless, control, show } from '../support/console.ts'
import { type EmptyDatabase, emptyDatabase } from '../support/database/empty-database.ts'
import { type DatabaseName, onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { password, usualOptions } from '../support/service.ts'

onEitherDatabase('The first start in a browser', suite)

function suite(database: DatabaseName): void {
  let empty: EmptyDatabase
  let service: Service
  let url: string
  let browser: Browser
  before(async () => {
    empty = await emptyDatabase(database)
    service = await createService(empty.config, { ...usualOptions, log: empty.log })
    url = await service.start()
    browser = await sharedBrowser()
  })
  after(async () => {
    await releaseBrowser(browser)
    await service.stop()
    await empty.drop()
  })

  it('leads from / to the first product, and to the mail that invites somebody', async () => {
    const opened = await openPage(browser, `${url}/`)
    const { page } = opened
    await page.getByRole('heading', { name: 'Create the first administrator' }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.autocomplete'), 'given-name')
    for (const [label, value] of [
      ['Given name', 'Ada'],
      ['Family name', 'Lovelace'],
      ['User name', 'ada'],
      ['Email', 'ada@example.com'],
      ['Password', 'too-weak'],
    ] as const)
      await control(page, label).fill(value)
    await page.getByRole('button', { name: 'Create the administrator' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await control(page, 'Password').getAttribute('aria-invalid'), 'true')
    assert.equal(await control(page, 'Email').getAttribute('aria-invalid'), null)
    await control(page, 'Password').fill(password)
    await page.getByRole('button', { name: 'Create the administrator' }).click()

    await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
    await page.getByRole('link', { name: 'Create the first row' }).waitFor()
    await page.getByRole('link', { name: 'Categories' }).first().click()
    await page.getByText('There are no categories yet.').waitFor()
    await page.getByRole('link', { name: 'New category' }).first().click()
    await control(page, 'Name').fill('Tables')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Tables' }).waitFor()

    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByRole('link', { name: 'New product' }).first().click()
    await control(page, 'Name').fill('Walnut desk')
    await control(page, 'Price').fill('349.9')
    await control(page, 'Category').fill('tab')
    await page.getByRole('option', { name: 'Tables' }).click()
    await eventually(
      'the chosen category',
      soonMs,
      async () => (await control(page, 'Category').inputValue()) === 'Tables',
    )
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Walnut desk' }).waitFor()
    await page.locator('dd').getByRole('link', { name: 'Tables' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('invite')
    await page.getByRole('option', { name: 'Invite a colleague' }).waitFor()
    await page.keyboard.press('Enter')
    await control(page, 'Email').fill('grace@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByText('grace@example.com is invited.').waitFor()
    await service.queueWorkers.drain()
    await show(page, '/mails')
    await page.getByRole('button', { name: 'grace@example.com' }).click()
    const mail = page.getByRole('dialog')
    await mail.getByText('Accept the invitation:').waitFor()
    const link = await mail.getByRole('link', { name: 'Accept the invitation' }).getAttribute('href')
    assert.match(link ?? '', /\/account\/accept-invitation\?/)
    assertFaultless(opened, 400)

    const [product] = (await new Client(url).get('/api/products')).body
    assert.deepEqual([product.name, product.price], ['Walnut desk', 349.9])
    assert.notEqual(product.categoryId, null)
  })
}
