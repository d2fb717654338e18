/** The other layouts of a list: a board of words, a calendar of days, cards on a phone. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf } from '../support/accessibility.ts'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, inBrowser, openConsole, openOwnConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'
import { addTickets, ticketOptions } from './ticket-scene.ts'

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
  { options: ticketOptions },
)
