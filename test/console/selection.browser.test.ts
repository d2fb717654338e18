/** What is ticked in a list: only what is shown is acted on, and the question names it. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { WatchedPage } from '../support/browser.ts'
import { agree, assertFaultless, inBrowser, openConsole, show, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { insertProducts } from '../support/product-rows.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser('The ticked rows of a list', (scene) => {
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
  const shows = (titles: readonly string[]) =>
    eventually(`${titles}`, soonMs, async () => `${await titlesOf(page)}` === `${titles}`)
  const tick = (title: string) => page.getByRole('checkbox', { name: `Choose ${title}`, exact: true }).check()
  const chosen = (count: number) => page.getByText(`${count} chosen`, { exact: true })

  it('are let go when an action takes them out of the filter', async () => {
    const customer = (await tenant.admin.post('/api/customers', { name: 'Nordic' })).body.id
    const lines = [{ text: 'Desk', quantity: 1, price: 1 }]
    const ids: string[] = []
    for (let count = 0; count < 3; count++)
      ids.push((await tenant.admin.post('/api/invoices', { customerId: customer, lines })).body.id)
    await open('/entities/invoice?status=draft&sort=number')
    await shows(['Invoice 1', 'Invoice 2', 'Invoice 3'])
    await tick('Invoice 1')
    await tick('Invoice 2')
    await page.getByRole('button', { name: 'Send' }).click()
    await agree(page)
    await shows(['Invoice 3'])
    await page.getByText('2 done.').waitFor()
    assert.equal(await page.getByText(/ chosen$/).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
    await page.getByRole('link', { name: 'Invoices' }).first().click()
    await shows(['Invoice 3', 'Invoice 2', 'Invoice 1'].toReversed())
    assert.equal(await page.locator('tbody input:checked').count(), 0)
    for (const id of ids) assert.equal((await tenant.admin.get(`/api/invoices/${id}`)).status, 200)
    assertFaultless(opened)
  })

  it('are those that others have left in the list, and return from the trash with one click', async () => {
    await insertProducts(
      scene.service,
      tenant.id,
      [1, 2, 3, 4, 5, 6, 7].map((number) => `Stool ${number}`),
    )
    await open('/entities/product?sort=name&name[istartsWith]=Stool')
    const all = await titlesOf(page)
    assert.equal(all.length, 7)
    await page.getByText('Shows changes of others as they happen').waitFor({ state: 'attached' })
    await tick('Stool 1')
    await page.getByRole('checkbox', { name: 'Choose Stool 6' }).click({ modifiers: ['Shift'] })
    await chosen(6).waitFor()
    assert.equal(await page.locator('tbody input:checked').count(), 6)
    const rowOf = async (name: string) =>
      (await tenant.admin.get(`/api/products?name=${encodeURIComponent(name)}`)).body[0]
    const { id } = await rowOf('Stool 2')
    await tenant.admin.patch(`/api/products/${id}`, { name: 'Bench' })
    await shows(['Stool 1', 'Stool 3', 'Stool 4', 'Stool 5', 'Stool 6', 'Stool 7'])
    await chosen(5).waitFor()
    await tenant.admin.patch(`/api/products/${id}`, { name: 'Stool 2' })
    await shows(all)
    await chosen(5).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await shows(['Stool 2', 'Stool 7'])
    await page.getByText('5 done.').waitFor()
    const trash = (await tenant.admin.get('/api/products/trash')).body as {
      id: string
      row: { name: string }
    }[]
    const first = trash.find(({ row }) => row.name === 'Stool 1')
    assert.equal((await tenant.admin.post(`/api/products/${first?.id}/restore`)).status, 200)
    const sent: string[] = []
    page.on('request', (each) => each.method() === 'POST' && sent.push(new URL(each.url()).pathname))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Taken back: 4 done, 1 refused. There is no such product.').waitFor()
    await shows(all)
    assert.deepEqual(sent, ['/api/products/bulk'])
    assertFaultless(opened)
  })

  it('are let go with a filter, a sort, a page, and the way back', async () => {
    const names = Array.from({ length: 53 }, (_, index) => `Rack ${index + 10}`)
    await insertProducts(scene.service, tenant.id, names)
    await open('/entities/product?sort=name')
    await shows(names.slice(0, 50))
    const ticked = page.locator('tbody input:checked')
    const leave = async (how: () => Promise<unknown>, first: string) => {
      await page.locator('tbody input').first().check()
      await chosen(1).waitFor()
      await how()
      await eventually(first, soonMs, async () => (await titlesOf(page))[0] === first)
      assert.equal(await ticked.count(), 0, first)
      assert.equal(await chosen(1).count(), 0, first)
    }
    await leave(() => page.getByRole('button', { name: 'Next page' }).click(), 'Rack 60')
    await leave(() => page.goBack(), 'Rack 10')
    await leave(() => page.goForward(), 'Rack 60')
    await leave(() => show(page, '/entities/product?sort=-name'), 'Rack 62')
    await leave(() => show(page, '/entities/product?name[istartsWith]=Rack%204&sort=name'), 'Rack 40')
    await tenant.admin.post('/api/categories', { name: 'Racks' })
    await leave(() => show(page, '/entities/category'), 'Racks')
    assertFaultless(opened)
  })

  it('are none where no request changes many rows', async () => {
    const { body: product } = await tenant.admin.post('/api/products', { name: 'Desk', price: 1 })
    const items = [{ productId: product.id, quantity: 1 }]
    const { status } = await tenant.admin.post('/api/orders', { customerId: 'c-1', items })
    assert.equal(status, 201)
    await open('/entities/order')
    await page.locator('tr[data-row]').waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await page.keyboard.press('x')
    assert.equal(await page.getByRole('button', { name: 'Pay' }).count(), 0)
    assertFaultless(opened)
  })
})
