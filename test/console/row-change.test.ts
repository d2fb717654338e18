/** A row that changes: by somebody else meanwhile, and by the actions of an application. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser(
  'A change of a row',
  (scene) => {
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
        await waitForValue(one.page, 'Description', saved)
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
  },
  { databases: ['sqlite', 'postgres'] },
)
