/** One row: creating, changing and deleting it. */
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
  const shownFor = (page: Page, label: string) => page.locator(`dt:text-is("${label}") + dd`).innerText()

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
    await eventually('the price', soonMs, async () => (await shownFor(page, 'Price')) === '300.00')
    const id = page.url().split('/').at(-1)
    const { body } = await tenant.admin.get(`/api/products/${id}`)
    assert.deepEqual([body.name, body.price, body.description], ['Walnut desk', 300, null])

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no products yet.').waitFor()
    assert.equal((await tenant.admin.get(`/api/products/${id}`)).status, 404)
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
