/** What a row was before, the way back to it, and the return of a deleted row. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { violationsOf } from '../support/accessibility.ts'
import { assertFaultless, inBrowser, openConsole, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'

inBrowser('The history of a row', (scene) => {
  it('shows each change, and a version is restored with all its characters', async () => {
    const tenant = await scene.service.newTenant()
    const { id } = (await tenant.admin.post('/api/products', { name: 'Oak desk', price: 10 })).body
    const words = 'walnut '.repeat(280).trim()
    await tenant.admin.patch(`/api/products/${id}`, { description: words })
    await tenant.admin.patch(`/api/products/${id}`, { name: 'Elm desk', description: 'short' })
    const opened = await openConsole(scene.browser, scene.service, `/entities/product/${id}`, {
      tenantId: tenant.id,
    })
    const { page } = opened
    await page.getByRole('tab', { name: 'History' }).click()
    const newest = page.getByRole('listitem').filter({ hasText: 'Elm desk' })
    await newest.getByText('Oak desk').waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.getByRole('button', { name: 'Restore 2' }).click()
    await page.getByRole('heading', { name: 'Oak desk' }).waitFor()
    const { body } = await tenant.admin.get(`/api/products/${id}`)
    assert.deepEqual([body.name, body.description], ['Oak desk', words])
    await page.getByText('restored version 2').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Elm desk' }).waitFor()
    assertFaultless(opened)
  })

  it('shows every version also after one is restored while older ones are shown', async () => {
    const tenant = await scene.service.newTenant()
    const { id } = (await tenant.admin.post('/api/products', { name: 'Desk 1', price: 10 })).body
    for (let number = 2; number <= 23; number++)
      await tenant.admin.patch(`/api/products/${id}`, { name: `Desk ${number}` })
    const opened = await openConsole(scene.browser, scene.service, `/entities/product/${id}?tab=history`, {
      tenantId: tenant.id,
    })
    const { page } = opened
    const versions = page.locator('.timeline > li')
    const more = page.getByRole('button', { name: 'More', exact: true })
    await more.click()
    await eventually('all versions', soonMs, async () => (await versions.count()) === 23)
    await page.getByRole('button', { name: 'Restore 22', exact: true }).click()
    await page.getByText('restored version 22').waitFor()
    await more.click()
    await eventually('all versions', soonMs, async () => (await versions.count()) === 24)
    assertFaultless(opened)
  })

  it('brings a deleted row back, at once or from its address', async () => {
    const tenant = await scene.service.newTenant()
    const { id } = (await tenant.admin.post('/api/products', { name: 'Oak desk', price: 10 })).body
    const opened = await openConsole(scene.browser, scene.service, `/entities/product/${id}`, {
      tenantId: tenant.id,
    })
    const { page } = opened
    const remove = async () => {
      await page.locator('summary').filter({ hasText: 'More actions' }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText(/Oak desk is deleted. It can be restored for \d+ days/).waitFor()
    }
    const isThere = () =>
      eventually(
        'the row',
        soonMs,
        async () => (await tenant.admin.get(`/api/products/${id}`)).status === 200,
      )
    await remove()
    assert.equal((await tenant.admin.get(`/api/products/${id}`)).status, 404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Oak desk' }).waitFor()
    await isThere()
    await remove()
    await show(page, `/entities/product/${id}`)
    await page.getByRole('button', { name: 'Restore it' }).click()
    await page.getByRole('heading', { name: 'Oak desk' }).waitFor()
    await isThere()
    assertFaultless(opened, 404)
  })
})
