/** Importing a file: how it is read is shown and can be changed, and what is refused can be corrected. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf } from '../support/accessibility.ts'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, show } from '../support/console.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser('An import', (scene) => {
  let tenant: TestTenant
  let opened: WatchedPage
  let page: Page
  beforeEach(async () => {
    tenant = await scene.service.newTenant()
    opened = await openConsole(scene.browser, scene.service, '', { tenantId: tenant.id })
    page = opened.page
  })

  const choose = (name: string, buffer: Buffer) =>
    control(page, 'Choose a file').setInputFiles({ name, mimeType: 'text/csv', buffer })
  const saved = async (button: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ])
    return readFileSync(await download.path())
  }
  const countOf = async (plural: string) =>
    Number((await tenant.admin.get(`/api/${plural}?count=true&limit=1`)).headers.get('x-total-count'))
  const products = async () => (await tenant.admin.get('/api/products')).body

  it('shows how the file is read before it creates anything, and gives back what is refused', async () => {
    await show(page, '/entities/product/import')
    const lines = [
      'name;price;isActive;colour',
      'Étagère 5" à 3 €;19.5;yes;red',
      'Lamp;0x10;no;',
      '"Tall\nlamp";2;perhaps;',
      'Chair;-1;no;',
    ]
    await choose('rows.csv', Buffer.from(new Uint8Array(windows1252(`${lines.join('\r\n')}\r\n`))))
    await page.getByText('2 rows were read. These are the first:').waitFor()
    assert.equal(await control(page, 'Encoding').inputValue(), 'windows-1252')
    assert.equal(await control(page, 'Separator').inputValue(), ';')
    await page.getByRole('row', { name: 'Étagère 5" à 3 € 19.5 true' }).waitFor()
    await page.getByText('their columns are left out: colour').waitFor()
    await page.getByRole('row', { name: '3 price: “0x10” is no number such as 12.5' }).waitFor()
    await page.getByRole('row', { name: '4 isActive: “perhaps” is neither true nor false' }).waitFor()
    assert.deepEqual(await violationsOf(page), [])

    await control(page, 'Separator').selectOption({ label: 'Tab' })
    await page.getByText('their columns are left out: name;price;isActive;colour').waitFor()
    await page.getByText('There is nothing to create.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Create/ }).count(), 0)
    await control(page, 'Separator').selectOption({ label: 'Semicolon' })
    await control(page, 'Encoding').selectOption({ label: 'UTF-8' })
    await page.getByText('The file could not be read.').waitFor()
    await control(page, 'Encoding').selectOption({ label: 'Windows-1252' })
    await page.getByText('2 rows were read. These are the first:').waitFor()
    assert.deepEqual(await products(), [])

    await page.getByRole('button', { name: 'Create 2 rows' }).click()
    await page.getByText('1 created, 3 refused.').waitFor()
    await page.getByRole('row', { name: /^6 \S/ }).waitFor()
    const refused = (await saved('Save the refused lines')).toString()
    const [head = '', lamp = '', ...others] = refused.split('\r\n')
    assert.equal(head, '\uFEFFname;price;isActive;colour;refusedBecause')
    assert.equal(lamp, 'Lamp;0x10;no;;price: “0x10” is no number such as 12.5')
    assert.match(others.join('\r\n'), /^"Tall\nlamp";2;perhaps;;isActive: .*\r\nChair;-1;no;;[^\r]+\r\n$/)

    const corrected = refused.replace('0x10', '16').replace('perhaps', 'no').replace('-1;', '1;')
    await choose('products-refused.csv', Buffer.from(corrected))
    await page.getByRole('button', { name: 'Create 3 rows' }).click()
    await page.getByText('3 created, 0 refused.').waitFor()
    assert.deepEqual(
      (await products()).map(({ name, price }: { name: string; price: number }) => [name, price]),
      [
        ['Étagère 5" à 3 €', 19.5],
        ['Lamp', 16],
        ['Tall\nlamp', 2],
        ['Chair', 1],
      ],
    )
    assertFaultless(opened, 400)
  })

  it('finds columns by what members are called, lets them be corrected, and is tried before', async () => {
    await tenant.admin.post('/api/categories', { name: 'Lamps' })
    await show(page, '/entities/category/import')
    const lines = ['Bezeichnung,NAME', 'Lights,Beschreibung', 'Lamps,taken', 'Sofas,soft', 'Sofas,twice']
    await choose('rows.csv', Buffer.from(lines.join('\n')))
    const columns = page.getByRole('group', { name: 'What the columns are' })
    assert.equal(await columns.getByLabel('NAME').inputValue(), 'name')
    assert.equal(await columns.getByLabel('Bezeichnung').inputValue(), '')
    await columns.getByLabel('Bezeichnung').selectOption({ label: 'Name' })
    assert.equal(await columns.getByLabel('NAME').inputValue(), '')
    await page.setViewportSize({ width: 360, height: 780 })
    const width = 'document.documentElement.scrollWidth - innerWidth'
    assert.equal(await page.evaluate(width), 0)
    assert.deepEqual(await violationsOf(page), [])
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('button', { name: 'Check first' }).click()
    await page.getByText('2 can be created, 2 would be refused.').waitFor()
    await page.getByRole('row', { name: /^3 name: / }).waitFor()
    await page.getByRole('row', { name: /^5 name: / }).waitFor()
    assert.equal((await tenant.admin.get('/api/categories')).body.length, 1)
    await page.getByRole('button', { name: 'Create 4 rows' }).click()
    await page.getByText('2 created, 2 refused.').waitFor()
    assert.equal((await tenant.admin.get('/api/categories')).body.length, 3)
    assertFaultless(opened, 400)
  })

  it('sends many rows in few requests, whose replies may be lost, and reports each by its line', async () => {
    await show(page, '/entities/category/import')
    const requests: string[] = []
    await page.route(/\/api\/categories/, async (route) => {
      const { length } = requests
      requests.push(new URL(route.request().url()).pathname)
      const reply = await route.fetch()
      // The service has created the rows, and the console does not know it.
      if (length === 0) await route.abort()
      else await route.fulfill({ response: reply })
    })
    const names = Array.from({ length: 450 }, (_, index) =>
      index === 299 ? 'Shelf 7' : `Shelf ${index + 1}`,
    )
    await choose('rows.csv', Buffer.from(['name', ...names].join('\n')))
    await page.getByRole('button', { name: 'Create 450 rows' }).click()
    await page.getByText('449 created, 1 refused.').waitFor()
    await page.getByRole('row', { name: /^301 name: / }).waitFor()
    assert.deepEqual(requests, Array(4).fill('/api/categories/bulk'))
    await page.unroute(/\/api\/categories/)
    assert.equal(await countOf('categories'), 449)
  })

  it('can be stopped, keeps what is created, and gives back the lines that were not sent', async () => {
    await show(page, '/entities/product/import')
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/bulk', async (route) => {
      begun.resolve()
      await held.promise
      await route.continue()
    })
    const lines = Array.from({ length: 450 }, (_, index) => `Shelf ${index + 1},10`)
    await choose('rows.csv', Buffer.from(['name,price', ...lines].join('\n')))
    await page.getByRole('button', { name: 'Create 450 rows' }).click()
    await begun.promise
    await page.getByText('0 of 450').waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.getByRole('button', { name: 'Stop' }).click()
    held.resolve()
    await page.getByText('200 created, 250 refused.').waitFor()
    await page.getByRole('row', { name: '202 Not sent: the import was stopped' }).waitFor()
    await page.unroute('**/bulk')
    const rest = await saved('Save the refused lines')
    await choose('rest.csv', rest)
    await page.getByRole('button', { name: 'Create 250 rows' }).click()
    await page.getByText('250 created, 0 refused.').waitFor()
    assert.equal(await countOf('products'), 450)
    assertFaultless(opened)
  })

  it('creates the rows one by one where the entity has no request for many', async () => {
    const productId = (await tenant.admin.post('/api/products', { name: 'Desk', price: 5 })).body.id
    await show(page, '/entities/order/import')
    const orders = [2, 0, 1].map((quantity) => ({
      customerId: 'customer-7',
      items: [{ productId, quantity }],
    }))
    await control(page, 'Choose a file').setInputFiles({
      name: 'rows.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(orders)),
    })
    assert.equal(await page.getByRole('button', { name: 'Check first' }).count(), 0)
    await page.getByRole('button', { name: 'Create 3 rows' }).click()
    await page.getByText('2 created, 1 refused.').waitFor()
    await page.getByRole('row', { name: /^2 items/ }).waitFor()
    assert.equal((await tenant.admin.get('/api/orders')).body.length, 2)
    assertFaultless(opened, 400)
  })

  it('of what was exported creates the same rows again', async () => {
    const names = ['=1+1', "'=1+1", "'tis", '5" pipe', 'a,b;c', 'two\nlines', '-5']
    for (const name of names) await tenant.admin.post('/api/products', { name, price: 0.0001 })
    const customerId = (await tenant.admin.post('/api/customers', { name: 'Nordic' })).body.id
    const invoice = { customerId, lines: [{ text: '=1', quantity: 2, price: 1.5 }], note: '- note' }
    await tenant.admin.post('/api/invoices', invoice)
    for (const [entity, plural, members] of [
      ['product', 'products', ['name', 'description', 'price', 'isActive', 'categoryId']],
      ['invoice', 'invoices', ['customerId', 'lines', 'note', 'total']],
    ] as const) {
      const read = async () => {
        const { body } = await tenant.admin.get(`/api/${plural}?sort=createdAt`)
        return body.map((row: Record<string, unknown>) => members.map((name) => row[name]))
      }
      const before = await read()
      await show(page, `/entities/${entity}?sort=createdAt`)
      await page.getByText('More', { exact: true }).click()
      const csv = await saved('Export CSV')
      await show(page, `/entities/${entity}/import`)
      await choose('rows.csv', csv)
      await page
        .getByRole('button', { name: before.length === 1 ? 'Create 1 row' : `Create ${before.length} rows` })
        .click()
      await page.getByText(`${before.length} created, 0 refused.`).waitFor()
      assert.deepEqual(await read(), [...before, ...before])
    }
    assertFaultless(opened)
  })
})

/** The characters that Latin-1 lacks are in places of their own. */
function windows1252(text: string): number[] {
  return [...text].map((character) => (character === '€' ? 0x80 : (character.codePointAt(0) ?? 0)))
}
