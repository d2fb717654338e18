/** One row: creating, changing, actions, deleting, and what others do to it meanwhile. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser('A row', (scene) => {
  let tenant: TestTenant
  before(async () => {
    tenant = await scene.service.newTenant()
  })

  const open = (path: string) => openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
  const made = async (path: string, body: object) => {
    const { status, text, body: row } = await tenant.admin.post(path, body)
    assert.equal(status, 201, text)
    return row
  }
  const shownFor = (page: Page, label: string) => page.locator(`dt:text-is("${label}") + dd`).innerText()

  const waitForValue = (page: Page, label: string, shown: string) =>
    eventually(`${label} ${shown}`, soonMs, async () => (await shownFor(page, label)) === shown)

  it('is created, with what is refused said at its fields, changed and deleted', async () => {
    const opened = await open('/entities/product/new')
    const { page } = opened
    await control(page, 'Price').fill('-1')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').waitFor()
    for (const label of ['Name', 'Price'])
      assert.equal(await control(page, label).getAttribute('aria-invalid'), 'true', label)
    assert.equal(await control(page, 'Description').getAttribute('aria-invalid'), null)
    await control(page, 'Name').fill('Walnut desk')
    await control(page, 'Price').fill('349.9')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Walnut desk' }).waitFor()
    assert.equal(await shownFor(page, 'Price'), '349.90')

    await page.getByRole('button', { name: 'Edit' }).click()
    await control(page, 'Price').fill('300')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal(await shownFor(page, 'Price'), '300.00')
    const id = page.url().split('/').at(-1)
    const { body } = await tenant.admin.get(`/api/products/${id}`)
    assert.deepEqual([body.name, body.price, body.description], ['Walnut desk', 300, null])

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no products yet.').waitFor()
    assert.equal((await tenant.admin.get(`/api/products/${id}`)).status, 404)
    assertFaultless(opened, 400)
    await page.close()
  })

  it('that another browser has changed is compared, and either version can be kept', async () => {
    const { id } = await made('/api/products', { name: 'Oak desk', price: 10 })
    const [one, other] = [await open(`/entities/product/${id}`), await open(`/entities/product/${id}`)]
    for (const [keep, saved] of [
      ['Save mine', 'mine'],
      ['Discard mine', 'theirs'],
    ] as const) {
      for (const { page } of [one, other]) await page.getByRole('button', { name: 'Edit' }).click()
      await control(other.page, 'Description').fill('theirs')
      await control(one.page, 'Description').fill('mine')
      await other.page.getByRole('button', { name: 'Save' }).click()
      await other.page.getByText('Saved.').waitFor()
      await one.page.getByText('Somebody has changed this row in the meantime.').waitFor()
      await one.page.getByRole('button', { name: 'Save' }).click()
      const dialog = one.page.getByRole('dialog')
      await dialog.getByRole('row', { name: 'Description mine theirs' }).waitFor()
      assert.equal(await dialog.locator('tbody tr').count(), 1, 'only what differs')
      await dialog.getByRole('button', { name: keep }).click()
      await one.page.getByText('Saved.').waitFor()
      assert.equal((await tenant.admin.get(`/api/products/${id}`)).body.description, saved)
      await tenant.admin.patch(`/api/products/${id}`, { description: null })
      for (const { page } of [one, other]) await waitForValue(page, 'Description', '—')
    }
    assertFaultless(one, 412)
    assertFaultless(other)
    await one.page.close()
    await other.page.close()
  })

  it('of an application has its lines, its actions, and relations to follow', async () => {
    await made('/api/customers', { name: 'Nordic Timber' })
    const opened = await open('/entities/invoice/new')
    const { page } = opened
    await control(page, 'Customer').fill('nordic')
    await page.getByRole('option', { name: 'Nordic Timber' }).click()
    await page.getByRole('button', { name: 'Add' }).click()
    await control(page, 'Text').fill('Desk')
    await control(page, 'Quantity').fill('0')
    await control(page, 'Price').fill('49.9')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await control(page, 'Quantity').getAttribute('aria-invalid'), 'true')
    await control(page, 'Quantity').fill('2')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: /^Invoice \d+$/ }).waitFor()
    assert.deepEqual([await shownFor(page, 'Total'), await shownFor(page, 'Status')], ['99.80', 'draft'])
    await page.getByRole('region', { name: 'Lines' }).getByRole('cell', { name: 'Desk' }).waitFor()

    assert.equal(await page.getByRole('button', { name: 'Pay' }).isDisabled(), true)
    await page.getByRole('button', { name: 'Send' }).click()
    await waitForValue(page, 'Status', 'sent')
    await page.getByRole('button', { name: 'Pay' }).click()
    await waitForValue(page, 'Status', 'paid')
    assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true)

    await page.getByRole('link', { name: 'Nordic Timber' }).click()
    await page.getByRole('heading', { name: 'Nordic Timber' }).waitFor()
    assertFaultless(opened, 400)
    await page.close()
  })

  it('of another tenant is an error that shows nothing of it', async () => {
    const foreign = await scene.service.newTenant()
    const { id } = (await foreign.admin.post('/api/products', { name: 'Secret desk', price: 1 })).body
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await page.getByRole('alert').waitFor()
    assert.match(await page.getByRole('alert').innerText(), /There is no such product\.[\s\S]*Request/)
    assert.doesNotMatch(await page.content(), /Secret/)
    assertFaultless(opened, 404)
    await page.close()
  })

  it('is created by the keyboard alone', async () => {
    const opened = await open('/entities/category')
    const { page } = opened
    await page.getByText('There are no categories yet.').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('categ')
    await page.keyboard.press('Enter')
    const reach = async (name: string) => {
      for (let count = 0; count < 60; count++) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate('document.activeElement.textContent + document.activeElement.id')
        if (String(focused).trim().startsWith(name)) return
      }
      assert.fail(`${name} cannot be reached`)
    }
    await reach('New category')
    await page.keyboard.press('Enter')
    await control(page, 'Name').waitFor()
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.tagName')) === 'INPUT') break
    }
    await page.keyboard.type('Lamps')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Lamps' }).waitFor()
    assertFaultless(opened)
    await page.close()
  })
})
