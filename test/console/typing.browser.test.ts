/** What is typed while a save is on its way: it stays, and it is a change of what is stored then. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser('What is typed while a save is on its way', (scene) => {
  let tenant: TestTenant
  before(async () => {
    tenant = await scene.service.newTenant()
  })

  const open = (path: string) => openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
  const newProduct = async (members: object): Promise<string> =>
    (await tenant.admin.post('/api/products', { price: 10, ...members })).body.id
  const stored = async (id: string) => (await tenant.admin.get(`/api/products/${id}`)).body
  const description = (page: Page) => control(page, 'Description')

  it('stays in the form of a row, which stays open, beside what the service has stored', async () => {
    const id = await newProduct({ name: 'Pine desk' })
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await description(page).fill('Oiled')
    await whileHeld(page, 'PATCH', async (release) => {
      await page.keyboard.press('Control+Enter')
      await release.begun
      await tenant.admin.patch(`/api/products/${id}`, { price: 12 })
      await description(page).press('End')
      await page.keyboard.type(' twice')
      release.go()
      await page.getByText('Saved.').waitFor()
    })
    assert.deepEqual([(await stored(id)).description, (await stored(id)).price], ['Oiled', 12])
    assert.equal(await description(page).inputValue(), 'Oiled twice')
    assert.equal(await control(page, 'Price').inputValue(), '12')
    await page.getByText('1 change', { exact: true }).waitFor()

    await page.keyboard.press('Control+Enter')
    await page.locator('dt:text-is("Description") + dd').getByText('Oiled twice').waitFor()
    assert.equal((await stored(id)).description, 'Oiled twice')
    assertFaultless(opened, 412)
  })

  it('stays in the form of a row when the service refuses what was sent', async () => {
    const id = await newProduct({ name: 'Fir desk' })
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await control(page, 'Name').fill('')
    await whileHeld(page, 'PATCH', async (release) => {
      await page.keyboard.press('Control+s')
      await release.begun
      await page.keyboard.type('Fir table')
      release.go()
      await page.locator('.is-faulty').waitFor()
    })
    assert.equal(await control(page, 'Name').inputValue(), 'Fir table')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Fir table' }).waitFor()
    assertFaultless(opened, 400)
  })

  it('stays in a field that is changed in place', async () => {
    const id = await newProduct({ name: 'Oak desk', description: 'Waxed' })
    const opened = await open(`/entities/product/${id}`)
    const { page } = opened
    await page.getByRole('button', { name: 'Change Description' }).click()
    await description(page).fill('Oiled')
    await whileHeld(page, 'PATCH', async (release) => {
      await page.keyboard.press('Control+Enter')
      await release.begun
      await page.keyboard.type(' twice')
      release.go()
      await page.getByText('Description is changed.').waitFor()
    })
    assert.equal(await description(page).inputValue(), 'Oiled twice')
    assert.equal((await stored(id)).description, 'Oiled')
    await page.keyboard.press('Control+Enter')
    await page.locator('dt:text-is("Description") + dd').getByText('Oiled twice').waitFor()
    assert.equal((await stored(id)).description, 'Oiled twice')
    assertFaultless(opened)
  })

  it('becomes a change of the row that the form has created', async () => {
    const opened = await open('/entities/product/new')
    const { page } = opened
    await control(page, 'Name').fill('Elm desk')
    await control(page, 'Price').fill('4')
    await description(page).fill('Oiled')
    await whileHeld(page, 'POST', async (release) => {
      await page.keyboard.press('Control+Enter')
      await release.begun
      await page.keyboard.type(' twice')
      release.go()
      await page.getByRole('heading', { name: 'Elm desk' }).waitFor()
    })
    await page.getByText('What you typed is here again').waitFor()
    await page.getByText('1 change', { exact: true }).waitFor()
    assert.equal(await description(page).inputValue(), 'Oiled twice')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved.').waitFor()
    const { body } = await tenant.admin.get('/api/products?name=Elm desk')
    assert.deepEqual(
      body.map((row: { description: string }) => row.description),
      ['Oiled twice'],
    )
    assertFaultless(opened)
  })

  it('is not taken by a dialog that closes then, and goes on where it was if the service refuses', async () => {
    const opened = await open('/roles')
    const { page } = opened
    await page.getByRole('button', { name: 'New role' }).click()
    const dialog = page.getByRole('dialog')
    await control(dialog, 'Description').fill('Keeps the books')
    const name = control(dialog, 'Name')
    const sendAndType = (typed: string, then: () => Promise<void>) =>
      whileHeld(page, 'POST', async (release) => {
        await name.fill(typed)
        await page.keyboard.press('Enter')
        await release.begun
        await page.keyboard.type(' and more')
        assert.equal(await name.inputValue(), typed)
        release.go()
        await then()
      })
    await sendAndType('no role!', () => dialog.locator('.fault').waitFor())
    await page.keyboard.type('?')
    assert.equal(await name.inputValue(), 'no role!?')
    await sendAndType('Bookkeeper', () => dialog.waitFor({ state: 'detached' }))
    const { body } = await tenant.admin.get('/api/roles/Bookkeeper')
    assert.equal(body.description, 'Keeps the books')
    assertFaultless(opened, 400)
  })
})

interface Release {
  /** The page has sent the request. */
  begun: Promise<void>
  go: () => void
}

/** The first request of the method reaches the service when `go` is called. */
async function whileHeld(page: Page, method: string, act: (release: Release) => Promise<void>) {
  const [sent, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const path = /\/api\/(products|roles)/
  await page.route(path, async (route) => {
    if (route.request().method() === method) {
      sent.resolve()
      await held.promise
    }
    await route.continue()
  })
  await act({ begun: sent.promise, go: held.resolve })
  await page.unroute(path)
}
