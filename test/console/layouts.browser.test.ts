/** The other layouts of a list: a board of words, a calendar of days, cards on a phone. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { migrated } from '../entity/migrated.ts'
import { violationsOf } from '../support/accessibility.ts'
import type { WatchedPage } from '../support/browser.ts'
import { agree, assertFaultless, inBrowser, openConsole, openOwnConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'
import { addTickets, ticket } from './ticket-scene.ts'

inBrowser(
  'A list',
  (scene) => {
    let tenant: TestTenant
    let ids: string[]
    let opened: WatchedPage
    let page: Page
    beforeEach(async () => {
      tenant = await scene.service.newTenant()
      ids = await addTickets(tenant, [
        { subject: 'Printer on fire', dueOn: '2026-02-10', budget: 1250 },
        { subject: 'Two seats', status: 'waiting', dueOn: '2026-02-12' },
        { subject: 'Scratch', status: 'waiting' },
      ])
    })
    const open = async (path: string) => {
      opened = await openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
      page = opened.page
    }
    const becomes = (index: number, member: string, value: unknown) =>
      eventually(`${member} ${value}`, soonMs, async () => {
        const { body } = await tenant.admin.get(`/api/tickets/${ids[index]}`)
        return body[member] === value
      })

    it('as a board has a column for each word, and cards are moved by the pointer and by keys', async () => {
      await open('/entities/ticket')
      await page.getByRole('button', { name: 'Board' }).click()
      const column = (word: string) => page.getByRole('region', { name: `Status: ${word}` })
      const card = (word: string, title: string) => column(word).getByRole('link', { name: title })
      await card('waiting', 'Two seats').waitFor()
      assert.match(await column('waiting').getByRole('heading').innerText(), /waiting\s*2/)
      assert.deepEqual(await violationsOf(page), [])

      await column('open').locator('li').dragTo(column('closed'))
      await card('closed', 'Printer on fire').waitFor()
      await becomes(0, 'status', 'closed')
      await page.getByRole('button', { name: 'Undo' }).click()
      await becomes(0, 'status', 'open')

      await card('waiting', 'Two seats').focus()
      await page.keyboard.press('ArrowDown')
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Scratch')
      await page.keyboard.press('m')
      const words = page.getByRole('listbox', { name: 'Status' })
      await words.waitFor()
      await page.keyboard.press('Escape')
      await words.waitFor({ state: 'detached' })
      await card('waiting', 'Scratch').focus()
      await page.keyboard.press('m')
      await words.waitFor()
      await page.keyboard.press('c')
      await page.keyboard.press('Enter')
      await becomes(2, 'status', 'closed')
      await card('closed', 'Scratch').waitFor()
      await page.reload()
      await card('closed', 'Scratch').waitFor()
      assertFaultless(opened)
    })

    it('as a board of a field that only actions change moves cards by them, and says why not', async () => {
      const { body: buyer } = await tenant.admin.post('/api/customers', { name: 'Öko Haus' })
      const lines = [{ text: 'Oak', quantity: 1, price: 12.5 }]
      for (const note of ['one', 'two'])
        await tenant.admin.post('/api/invoices', { customerId: buyer.id, lines, note })
      await open('/entities/invoice?layout=board')
      const column = (word: string) => page.getByRole('region', { name: `Status: ${word}` })
      const card = (word: string, title: string) => column(word).getByRole('link', { name: title })
      const first = column('draft').locator('li', { hasText: 'Invoice 1' })
      await first.waitFor()

      await first.dragTo(column('paid'))
      await page.getByRole('status').getByText('Pay: Only while Status is sent.').waitFor()
      assert.equal(await page.getByRole('alertdialog').count(), 0)
      await card('draft', 'Invoice 2').waitFor()
      await first.dragTo(column('sent'))
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
      await card('draft', 'Invoice 1').waitFor()
      await first.dragTo(column('sent'))
      await agree(page)
      await card('sent', 'Invoice 1').waitFor()
      await column('sent').locator('li').dragTo(column('draft'))
      await page.getByText('No action leads to “draft”.').waitFor()

      await card('draft', 'Invoice 2').focus()
      await page.keyboard.press('m')
      await page.keyboard.press('v')
      await page.keyboard.press('Enter')
      await agree(page)
      await card('void', 'Invoice 2').waitFor()
      await eventually(
        'the focus',
        soonMs,
        async () => (await page.evaluate('document.activeElement.textContent')) === 'Invoice 2',
      )

      const { body: refused } = await tenant.admin.get('/api/invoices?status=sent')
      await tenant.admin.post(`/api/invoices/${refused[0].id}/void`)
      await card('sent', 'Invoice 1').focus()
      await page.keyboard.press('m')
      await page.keyboard.press('p')
      await page.keyboard.press('Enter')
      await agree(page)
      await page.getByText('The invoice is void and cannot be paid: it must be sent.').waitFor()
      assertFaultless(opened, 400)
    })

    it('as a calendar has the rows on their days, and they are moved by the pointer and by keys', async () => {
      await open('/entities/ticket?layout=calendar&month=2026-02')
      await page.getByRole('heading', { name: 'February 2026' }).waitFor()
      const day = (name: RegExp) => page.getByRole('cell', { name })
      await day(/10 February/)
        .getByRole('link', { name: 'Printer on fire' })
        .waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await day(/10 February/)
        .locator('li')
        .dragTo(day(/20 February/))
      await day(/20 February/)
        .getByRole('link', { name: 'Printer on fire' })
        .waitFor()
      await becomes(0, 'dueOn', '2026-02-20')

      await day(/12 February/)
        .getByRole('link', { name: 'Two seats' })
        .focus()
      await page.keyboard.press('m')
      await page.getByRole('textbox', { name: 'Due on' }).fill('2026-02-13')
      await page.keyboard.press('Enter')
      await becomes(1, 'dueOn', '2026-02-13')
      await day(/13 February/)
        .getByRole('link', { name: 'Two seats' })
        .waitFor()
      await page.getByRole('button', { name: 'Later month' }).click()
      await page.getByRole('heading', { name: 'March 2026' }).waitFor()
      assertFaultless(opened)
    })

    it('on a phone is cards, which nothing moves sideways', async () => {
      const user = { tenantId: tenant.id, viewport: { width: 360, height: 740 } }
      opened = await openOwnConsole(scene.browser, scene.service, '/entities/ticket', user)
      page = opened.page
      for (const [path, ready] of [
        ['/entities/ticket', page.getByRole('link', { name: 'Two seats' })],
        ['/entities/ticket?layout=board', page.getByRole('link', { name: 'Two seats' })],
        ['/entities/ticket?layout=calendar&month=2026-02', page.getByRole('link', { name: 'Two seats' })],
        [`/entities/ticket?peek=${ids[0]}`, page.getByRole('complementary').getByText('#1')],
      ] as const) {
        await page.goto(`${scene.service.url}/console${path}`)
        await ready.waitFor()
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
        assert.deepEqual(await violationsOf(page), [], path)
      }
      assertFaultless(opened)
    })
  },
  { options: { features: migrated([ticket, customer, invoice]) } },
)
