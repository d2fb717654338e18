/** The twelve tasks of a working day with the keyboard alone: each press leaves a focus that is to be seen. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'
import { Keyboard } from './keyboard.ts'
import { addTickets, ticketOptions } from './ticket-scene.ts'

inBrowser(
  'With the keyboard alone',
  (scene) => {
    let tenant: TestTenant
    let ids: string[]
    let opened: WatchedPage
    let page: Page
    let keyboard: Keyboard
    beforeEach(async () => {
      tenant = await scene.service.newTenant()
      ids = await addTickets(tenant, [
        { subject: 'Printer on fire' },
        { subject: 'Two seats', status: 'waiting' },
        { subject: 'Scratch' },
      ])
    })
    const open = async (path: string) => {
      opened = await openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
      page = opened.page
      keyboard = new Keyboard(page)
    }
    const becomes = (path: string, member: string, value: unknown) =>
      eventually(
        `${member} ${value}`,
        soonMs,
        async () => (await tenant.admin.get(path)).body[member] === value,
      )
    const ticketBecomes = (index: number, member: string, value: unknown) =>
      becomes(`/api/tickets/${ids[index]}`, member, value)

    it('a row is created, changed in its form, and found again within ten keys', async () => {
      await open('/entities/ticket')
      await titlesOf(page)
      await keyboard.press('c')
      await page.getByRole('heading', { name: 'New ticket' }).waitFor()
      await keyboard.tabTo(control(page, 'Subject'))
      await keyboard.type('Lamp too dim')
      await keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: 'Lamp too dim' }).waitFor()

      await keyboard.press('e')
      await keyboard.tabTo(control(page, 'Subject'))
      await keyboard.press('End')
      await keyboard.type(' again')
      await keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: 'Lamp too dim again' }).waitFor()

      keyboard.count = 0
      await keyboard.press('Control+k')
      await keyboard.type('Print')
      await page.getByRole('option', { name: /Printer on fire/ }).waitFor()
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Printer on fire' }).waitFor()
      assert.ok(keyboard.count <= 10, `${keyboard.count} keys`)
      assertFaultless(opened)
    })

    it('a cell is changed with three keys; chosen rows are changed together, and taken back', async () => {
      await open('/entities/ticket')
      await titlesOf(page)
      await keyboard.tabTo(page.getByRole('columnheader', { name: 'Subject' }))
      await keyboard.press('ArrowDown', 'ArrowRight')
      keyboard.count = 0
      await keyboard.press('Enter', 'c', 'Enter')
      assert.equal(keyboard.count, 3)
      await ticketBecomes(0, 'status', 'closed')
      await keyboard.press('Control+z')
      await ticketBecomes(0, 'status', 'open')

      await keyboard.press('x', 'Shift+ArrowDown', 'Shift+ArrowDown')
      await keyboard.tabTo(page.getByRole('button', { name: 'Change a field' }))
      await keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Change a field' })
      await keyboard.tabTo(dialog.getByLabel('Value'))
      await keyboard.press('c')
      await keyboard.tabTo(dialog.getByRole('button', { name: 'Change', exact: true }))
      await keyboard.press('Enter')
      for (const index of [0, 1, 2]) await ticketBecomes(index, 'status', 'closed')
      await keyboard.press('Control+z')
      await ticketBecomes(1, 'status', 'waiting')
      await ticketBecomes(0, 'status', 'open')
      assertFaultless(opened)
    })

    it('a list is filtered and kept as a view', async () => {
      await open('/entities/ticket')
      await titlesOf(page)
      await keyboard.press('f')
      await keyboard.tabTo(page.getByRole('dialog').getByLabel('Field'))
      await keyboard.type('Status')
      await keyboard.tabTo(page.getByRole('dialog').getByLabel('waiting'))
      await keyboard.press('Space', 'Enter')
      await eventually('the waiting one', soonMs, async () => `${await titlesOf(page)}` === 'Two seats')
      await keyboard.tabTo(page.getByRole('button', { name: 'Save as a view' }))
      await keyboard.press('Enter')
      await keyboard.tabTo(control(page, 'Name of the view'))
      await keyboard.type('My waiting')
      await keyboard.press('Enter')
      await page.getByRole('link', { name: 'My waiting' }).waitFor()
      assertFaultless(opened)
    })

    it('rows are imported, and a former version is restored', async () => {
      const { body } = await tenant.admin.post('/api/products', { name: 'Oak desk', price: 10 })
      await tenant.admin.patch(`/api/products/${body.id}`, { name: 'Elm desk' })
      await open('/entities/product/import')
      // Well before the key: it takes a moment until Chromium asks the test instead of its user.
      const choosing = page.waitForEvent('filechooser')
      await keyboard.tabTo(control(page, 'Choose a file'))
      await keyboard.press('Enter')
      const file = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('name,price\nChair,7\n') }
      await (await choosing).setFiles(file)
      await keyboard.tabTo(page.getByRole('button', { name: 'Create 1' }))
      await keyboard.press('Enter')
      await eventually('the chair', soonMs, async () => {
        const chairs = await tenant.admin.get('/api/products?name=Chair')
        return chairs.body.length === 1
      })

      await open(`/entities/product/${body.id}?tab=history`)
      await keyboard.tabTo(page.getByRole('button', { name: 'Restore 1' }))
      await keyboard.press('Enter')
      await becomes(`/api/products/${body.id}`, 'name', 'Oak desk')
      assertFaultless(opened)
    })

    it('a colleague is invited, and one signs out', async () => {
      await open('/invitations')
      await page.getByRole('heading', { name: 'Invitations' }).waitFor()
      await keyboard.tabTo(page.locator('main').getByText('Invite', { exact: true }))
      await keyboard.press('Enter')
      await keyboard.tabTo(control(page, 'Email'))
      await keyboard.type('guest@nordic.example')
      await keyboard.press('Enter')
      await page.getByRole('cell', { name: 'guest@nordic.example' }).waitFor()
      await keyboard.tabTo(page.locator('.user-menu summary'))
      await keyboard.press('Enter')
      await keyboard.tabTo(page.getByRole('button', { name: 'Sign out' }))
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assertFaultless(opened)
    })
  },
  { options: ticketOptions },
)
