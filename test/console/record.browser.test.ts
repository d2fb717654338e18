/** The page of a row: fields changed in place, rows that refer to it, its neighbours, and typing that is never lost. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf } from '../support/accessibility.ts'
import {
  agree,
  assertFaultless,
  control,
  inBrowser,
  openConsole,
  openOwnConsole,
  show,
} from '../support/console.ts'
import { password, type TestTenant } from '../support/service.ts'

inBrowser('The page of a row', (scene) => {
  let tenant: TestTenant
  before(async () => {
    tenant = await scene.service.newTenant()
  })

  const open = (path: string) => openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
  const newProduct = async (members: object): Promise<string> =>
    (await tenant.admin.post('/api/products', { price: 10, ...members })).body.id
  const stored = async (id: string) => (await tenant.admin.get(`/api/products/${id}`)).body
  const edit = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true }).click()

  it('changes one field in place, and takes the change back', async () => {
    const id = await newProduct({ name: 'Pine desk' })
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await page.locator('dt:text-is("Price") + dd').click()
    await control(page, 'Price').fill('12,5')
    await page.keyboard.press('Enter')
    await page.getByText('Price is changed.').waitFor()
    assert.equal((await stored(id)).price, 12.5)
    assert.deepEqual(await violationsOf(page), [])
    await page.keyboard.press('Control+z')
    await page.locator('dt:text-is("Price") + dd').getByText('10.00').waitFor()
    assert.equal((await stored(id)).price, 10)

    await page.getByRole('button', { name: 'Change Description' }).focus()
    await page.keyboard.press('e')
    await control(page, 'Description').fill('Oiled')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Description is changed.').waitFor()
    await page.getByRole('button', { name: 'Change Description' }).press('Enter')
    await control(page, 'Description').fill('never')
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('dt:text-is("Description") + dd').innerText(), 'Oiled')

    await page.locator('dt:text-is("Is active") + dd').click()
    await page.getByRole('switch', { name: 'Is active' }).click()
    await page.getByText('Is active is changed.').waitFor()
    assert.equal((await stored(id)).isActive, false)

    await page.getByRole('button', { name: 'Change Name' }).click()
    await control(page, 'Name').fill('')
    await page.keyboard.press('Enter')
    await page.locator('.is-edited [role=alert]').waitFor()
    await page.keyboard.press('Escape')
    assert.equal((await stored(id)).name, 'Pine desk')
    assertFaultless(opened, 400)
  })

  it('says in the language of the page what is refused in a field', async () => {
    const options = { tenantId: tenant.id, locale: 'de-DE' }
    const opened = await openOwnConsole(scene.browser, scene.service, '/entities/product/new', options)
    const { page } = opened
    await control(page, 'Name').fill('N'.repeat(300))
    await control(page, 'Preis').fill('-1')
    await page.keyboard.press('Control+Enter')
    await page.getByText('darf höchstens 200 Zeichen haben').waitFor()
    await page.getByText('muss mindestens 0 sein').waitFor()
    assertFaultless(opened, 400)
  })

  it('has the rows that refer to it by name, adds one, and moves to the next of the list', async () => {
    const { id: categoryId } = (await tenant.admin.post('/api/categories', { name: 'Shelves' })).body
    for (const name of ['Shelf A', 'Shelf B', 'Shelf C']) await newProduct({ name, categoryId })
    const opened = await open(`/entities/category/${categoryId}`)
    const { page } = opened
    await page.getByRole('tab', { name: 'Products 3' }).click()
    await page.getByRole('link', { name: 'Shelf B' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('tab', { name: 'Details', selected: true }).waitFor()
    await page.getByRole('tab', { name: 'Products 3' }).click()
    await page.getByRole('link', { name: 'New product' }).click()
    await control(page, 'Name').fill('Shelf D')
    await control(page, 'Price').fill('4')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Shelf D' }).waitFor()
    await page.getByRole('link', { name: 'Shelves' }).waitFor()

    await show(page, '/entities/product?sort=name&name[istartsWith]=Shelf')
    await page.getByRole('link', { name: 'Shelf B' }).click()
    await page.getByText('2 of 4').waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Shelf C' }).waitFor()
    await page.getByText('3 of 4').waitFor()
    await page.getByRole('button', { name: 'Previous row' }).click()
    await page.getByRole('heading', { name: 'Shelf B' }).waitFor()

    // The page shows ten of them, says so, and leads to all.
    for (const letter of 'EFGHIJKL') await newProduct({ name: `Shelf ${letter}`, categoryId })
    await show(page, `/entities/category/${categoryId}`)
    await page.getByRole('tab', { name: 'Products 12' }).click()
    await page.getByRole('link', { name: 'Shelf J' }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^Shelf [A-L]$/ }).count(), 10)
    await page.getByRole('link', { name: '10 of 12' }).click()
    await page.getByRole('link', { name: 'Shelf L' }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^Shelf [A-L]$/ }).count(), 12)
    assertFaultless(opened)
  })

  it('moves to the next of a list in groups in the order of the groups', async () => {
    const { id: categoryId } = (await tenant.admin.post('/api/categories', { name: 'Lamps' })).body
    await newProduct({ name: 'Lamp A' })
    await newProduct({ name: 'Lamp B', categoryId })
    await newProduct({ name: 'Lamp C' })
    const opened = await open('/entities/product?sort=name&name[istartsWith]=Lamp&group=categoryId')
    const { page } = opened
    const links = page.locator('.row-title > a')
    await links.nth(2).waitFor()
    const order = await links.allInnerTexts()
    assert.notDeepEqual(order, order.toSorted())
    await links.first().click()
    for (const [index, name] of order.entries()) {
      await page.getByRole('heading', { name, exact: true }).waitFor()
      await page.getByText(`${index + 1} of 3`).waitFor()
      await page.keyboard.press('j')
    }
    assertFaultless(opened)
  })

  it('says which of its lists could not be read, and reads it again', async () => {
    const { id } = (await tenant.admin.post('/api/categories', { name: 'Hooks' })).body
    await newProduct({ name: 'Brass hook', categoryId: id })
    const opened = await open('')
    const { page } = opened
    const busy = { status: 503, json: { status: 503, detail: 'The service is busy.' } }
    await page.route(/\/api\/products\?/, (route) => route.fulfill(busy), { times: 1 })
    await show(page, `/entities/category/${id}`)
    await page.getByRole('tab', { name: 'Products' }).click()
    await page.getByRole('alert').getByText('The service is busy.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Brass hook' }).waitFor()
    assertFaultless(opened, 503)
  })

  it('keeps its tab from one page of the audit to the next', async () => {
    const id = await newProduct({ name: 'Ash desk' })
    const opened = await open('')
    const { page } = opened
    const record = {
      id: 'a',
      action: 'product.checked',
      actorName: 'boss',
      impersonatorId: null,
      createdAt: '2026-01-31T09:30:00.000Z',
    }
    const headers = { link: '</api/audit?cursor=next>; rel="next"' }
    const records = /\/api\/audit\?.*subjectId=/
    await page.route(records, (route) => route.fulfill({ json: [record], headers }))
    await show(page, `/entities/product/${id}`)
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL(/cursor=next/)
    await page.getByRole('tab', { name: 'Audit', selected: true }).waitFor()
    await page.getByRole('button', { name: 'First page' }).click()
    await page.getByRole('tab', { name: 'Audit', selected: true }).waitFor()
    await page.unroute(records)
    assertFaultless(opened)
  })

  it('says how long ago a row was changed, however long the page is open', async () => {
    const id = await newProduct({ name: 'Elm desk' })
    const { page } = await openOwnConsole(scene.browser, scene.service, `/entities/product/${id}`, {
      tenantId: tenant.id,
    })
    await page.clock.install()
    await page.reload()
    const head = page.locator('.record-head')
    await head.getByText('now', { exact: true }).waitFor()
    await page.clock.fastForward('10:00')
    await edit(page)
    await head.getByText(/^10 min\.? ago$/).waitFor()
  })

  it('keeps what is typed when the page is loaded again, and when the session ends in the middle', async () => {
    const id = await newProduct({ name: 'Birch desk' })
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await edit(page)
    const words = 'long '.repeat(500)
    await control(page, 'Description').fill(words)
    await page.getByText('2500 of 2000').waitFor()
    await page.reload()
    await page.getByText('What you typed is here again').waitFor()
    assert.equal(await control(page, 'Description').inputValue(), words)
    await control(page, 'Description').fill('typed before')
    await tenant.admin.patch(`/api/products/${id}`, { price: 11 })

    const { id: userId } = (await tenant.admin.get('/api/auth/me')).body
    await tenant.admin.delete(`/api/users/${userId}/sessions`)
    await page.keyboard.press('Control+s')
    await page.getByText('Your session has ended. Sign in again.').waitFor()
    await control(page, 'User name or email').fill('boss')
    await control(page, 'Password').fill(password)
    await control(page, 'Tenant').fill(tenant.id)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('What you typed is here again').waitFor()
    await page.getByText('1 change', { exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved.').waitFor()
    tenant = { ...tenant, admin: (await scene.service.signIn('boss', tenant.id)).client }
    const { description, price } = await stored(id)
    assert.deepEqual([description, price], ['typed before', 11], 'merged with what another has changed')
    await page.reload()
    await page.getByRole('heading', { name: 'Birch desk' }).waitFor()
    assert.equal(await control(page, 'Description').count(), 0)
    assertFaultless(opened, 401, 412)
  })

  it('asks before what is typed is left, and begins a new row with it if the row is gone', async () => {
    const id = await newProduct({ name: 'Cherry desk' })
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await edit(page)
    await control(page, 'Name').fill('Cherry table')
    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('link', { name: 'Products' }).first().click()
    assert.equal(await agree(page), 'Your changes are not saved')
    await page.getByRole('link', { name: 'Cherry table' }).click()

    await edit(page)
    await control(page, 'Description').fill('still here')
    await tenant.admin.delete(`/api/products/${id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Create it anew' }).click()
    await page.getByRole('heading', { name: 'New product' }).waitFor()
    assert.equal(await control(page, 'Description').inputValue(), 'still here')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Cherry table' }).waitFor()
    assertFaultless(opened, 404)
  })
})
