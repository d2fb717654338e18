/** One row: creating and changing it, what others change meanwhile, and the actions of an application. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf } from '../support/accessibility.ts'
import { agree, assertFaultless, control, inBrowser, openConsole, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser('A row', (scene) => {
  let tenant: TestTenant
  before(async () => {
    tenant = await scene.service.newTenant()
  })

  const open = (path: string) => openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
  const shownFor = (page: Page, label: string) => page.locator(`dt:text-is("${label}") + dd`).innerText()
  const more = (page: Page) => page.locator('summary').filter({ hasText: 'More actions' }).click()
  const waitForValue = (page: Page, label: string, shown: string) =>
    eventually(`${label} ${shown}`, soonMs, async () => (await shownFor(page, label)) === shown)
  const waitForTyped = (page: Page, label: string, value: string) =>
    eventually(`${label} ${value}`, soonMs, async () => (await control(page, label).inputValue()) === value)

  it('is created, with what is refused said at its fields, and changed', async () => {
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

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await control(page, 'Price').fill('300')
    await page.getByText('1 change', { exact: true }).waitFor()
    await page.getByText('was 349.90').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await waitForValue(page, 'Price', '300.00')
    const id = page.url().split('/').at(-1)
    const { body } = await tenant.admin.get(`/api/products/${id}`)
    assert.deepEqual([body.name, body.price, body.description], ['Walnut desk', 300, null])

    const foreign = await scene.service.newTenant()
    const secret = (await foreign.admin.post('/api/products', { name: 'Secret desk', price: 1 })).body
    await show(page, `/entities/product/${secret.id}`)
    await page.getByRole('alert').waitFor()
    assert.match(await page.getByRole('alert').innerText(), /There is no such product\.[\s\S]*Request/)
    assert.doesNotMatch(await page.content(), /Secret/)
    assertFaultless(opened, 400, 404)
  })

  it('is created by the keyboard alone, which leads to any page', async () => {
    const opened = await open('')
    const { page } = opened
    await page.getByRole('button', { name: 'Search or jump…' }).waitFor()
    const search = page.getByRole('combobox', { name: 'Search or jump to…' })
    await page.keyboard.press('Control+k')
    await search.waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await search.waitFor()
    await page.keyboard.type('categ')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/entities/category')
    await page.getByText('There are no categories yet.').waitFor()
    const reach = async (what: string, isFocused: string) => {
      for (let count = 0; count < 60; count++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate<boolean>(`((focused) => ${isFocused})(document.activeElement)`)) return
      }
      assert.fail(`${what} cannot be reached`)
    }
    await reach('the button', "(focused.textContent + focused.id).trim().startsWith('New category')")
    await page.keyboard.press('Enter')
    await control(page, 'Name').waitFor()
    await reach('the field', "focused.tagName === 'INPUT'")
    await page.keyboard.type('Lamps')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Lamps' }).waitFor()
    assertFaultless(opened)
  })

  it('that somebody else has changed in other members is saved with both changes', async () => {
    const { id } = (await tenant.admin.post('/api/products', { name: 'Elm desk', price: 10 })).body
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await control(page, 'Description').fill('mine')
    await tenant.admin.patch(`/api/products/${id}`, { price: 20 })
    await page.getByText('Somebody has changed this row in the meantime.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForValue(page, 'Price', '20.00')
    await page.getByText('Saved.').waitFor()
    const { body } = await tenant.admin.get(`/api/products/${id}`)
    assert.deepEqual([body.description, body.price], ['mine', 20])

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await control(page, 'Name').fill('Elm desk, tall')
    const told = page.waitForResponse(
      (response) => response.url().endsWith(`/api/products/${id}`) && response.request().method() === 'GET',
    )
    await page.keyboard.press('Control+s')
    await told
    await page.getByRole('heading', { name: 'Elm desk, tall' }).waitFor()
    assert.equal(await page.getByText('Somebody has changed this row in the meantime.').count(), 0)
    assertFaultless(opened, 412)
  })

  it('that somebody else has changed in the same members asks for each of them alone', async () => {
    const { id } = (await tenant.admin.post('/api/products', { name: 'Ash desk', price: 10 })).body
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await control(page, 'Name').fill('My desk')
    await control(page, 'Description').fill('mine')
    await control(page, 'Is active').uncheck()
    await tenant.admin.patch(`/api/products/${id}`, { name: 'Their desk', description: 'theirs', price: 20 })
    await page.getByText('Somebody has changed this row in the meantime.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row', { name: /^Name .*My desk .*Their desk$/ }).waitFor()
    await dialog.getByRole('row', { name: /^Description .*mine .*theirs$/ }).waitFor()
    assert.equal(await dialog.locator('tbody tr').count(), 2, 'only what both have changed')
    assert.deepEqual(await violationsOf(page), [])
    const save = dialog.getByRole('button', { name: 'Save' })
    await dialog.getByLabel('Name: Yours').check()
    assert.equal(await save.isDisabled(), true)
    await dialog.getByLabel('Description: Stored').check()
    await save.click()
    await page.getByRole('heading', { name: 'My desk' }).waitFor()
    const { body } = await tenant.admin.get(`/api/products/${id}`)
    assert.deepEqual(
      [body.name, body.description, body.isActive, body.price],
      ['My desk', 'theirs', false, 20],
    )
    assertFaultless(opened, 412)
  })

  it('that somebody else has changed shows the change, and either version can be kept', async () => {
    const { id } = (await tenant.admin.post('/api/products', { name: 'Oak desk', price: 10 })).body
    const opened = await open('/entities/product')
    const { page } = opened
    await page.getByText('Shows changes of others as they happen').waitFor({ state: 'attached' })
    await page.evaluate('globalThis.isSamePage = true')
    await tenant.admin.post('/api/products', { name: 'Lamp', price: 2 })
    await page.getByRole('link', { name: 'Lamp' }).waitFor()
    await page.getByRole('link', { name: 'Oak desk' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    for (const [keep, saved] of [
      ['Save', 'mine'],
      ['Discard mine', 'theirs'],
    ] as const) {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await control(page, 'Description').fill('mine')
      await tenant.admin.patch(`/api/products/${id}`, { description: 'theirs' })
      await page.getByText('Somebody has changed this row in the meantime.').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('row', { name: /^Description .*mine .*theirs$/ }).waitFor()
      assert.equal(await dialog.locator('tbody tr').count(), 1, 'only what differs')
      if (keep === 'Save') await dialog.getByLabel('Description: Yours').check()
      await dialog.getByRole('button', { name: keep }).click()
      await waitForValue(page, 'Description', saved)
      assert.equal((await tenant.admin.get(`/api/products/${id}`)).body.description, saved)
      await tenant.admin.patch(`/api/products/${id}`, { description: null })
      await waitForValue(page, 'Description', '—')
    }
    assert.equal(await page.evaluate('globalThis.isSamePage'), true)
    assertFaultless(opened, 412)
  })

  it('names a row that is made in the middle of its form', async () => {
    const opened = await open('/entities/invoice/new')
    const { page } = opened
    await control(page, 'Customer').fill('Birch & Oak')
    await page.getByRole('option', { name: 'New customer Birch & Oak' }).click()
    const dialog = page.getByRole('dialog', { name: 'New customer' })
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    await waitForTyped(page, 'Customer', 'Birch & Oak')
    const [made] = (await tenant.admin.get('/api/customers?search=Birch')).body
    assert.equal(made.name, 'Birch & Oak')
    await page.getByRole('button', { name: 'Clear' }).click()
    await waitForTyped(page, 'Customer', '')
    assertFaultless(opened)
  })

  it('of an application has its lines, its actions, and relations to follow', async () => {
    assert.equal((await tenant.admin.post('/api/customers', { name: 'Nordic Timber' })).status, 201)
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

    await more(page)
    const pay = page.getByRole('button', { name: 'Pay' })
    assert.deepEqual(
      [await pay.isDisabled(), await pay.innerText()],
      [true, 'Pay\nOnly while Status is sent.'],
    )
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await agree(page)
    await waitForValue(page, 'Status', 'sent')
    await pay.click()
    await agree(page)
    await waitForValue(page, 'Status', 'paid')
    await more(page)
    assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Nordic Timber' }).click()
    await page.getByRole('heading', { name: 'Nordic Timber' }).waitFor()
    assertFaultless(opened, 400)
  })
})
