/** A box in a cell of a list: each press is one change, and what is taken back is named. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { boolean, entity, text } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

const lamp = entity('lamp', {
  fields: { name: text(), isLit: boolean().default(false) },
  history: true,
  console: { list: { columns: ['name', 'isLit'] } },
})

inBrowser(
  'A box in a cell of a list',
  (scene) => {
    let tenant: TestTenant
    before(async () => {
      tenant = await scene.service.newTenant()
    })

    it('is ticked once by a double click, and by each of two quick presses', async () => {
      const { id } = (await tenant.admin.post('/api/lamps', { name: 'Desk lamp' })).body
      const path = `/api/lamps/${id}`
      const changes = async () => (await tenant.admin.get(`${path}/history`)).body.length
      const isLit = async () => (await tenant.admin.get(path)).body.isLit
      const becomes = (value: boolean) =>
        eventually(`${value}`, soonMs, async () => (await isLit()) === value)
      const opened = await openConsole(scene.browser, scene.service, '/entities/lamp', {
        tenantId: tenant.id,
      })
      const { page } = opened
      const cell = page.getByRole('row').filter({ hasText: 'Desk lamp' }).getByRole('gridcell').nth(2)
      await cell.click()
      await cell.dblclick()
      await page.getByText('Is lit of Desk lamp is changed').waitFor()
      await becomes(true)
      const once = await changes()

      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await eventually('both', soonMs, async () => (await changes()) === once + 2)
      assert.equal(await isLit(), true)
      assert.equal(await page.getByRole('alert').count(), 0)

      await page.keyboard.press('Control+z')
      await page.getByText('Is lit of Desk lamp is “No” again', { exact: false }).waitFor()
      await becomes(false)
      assertFaultless(opened)
    })
  },
  { options: { features: migrated([lamp]) } },
)
