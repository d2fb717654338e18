/** The table of a list: reached, changed, looked at, arranged and kept, by keys as by clicks. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf } from '../support/accessibility.ts'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, show, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { person, type TestTenant } from '../support/service.ts'
import { addTickets, ticketOptions } from './ticket-scene.ts'

inBrowser(
  'The table of a list',
  (scene) => {
    let tenant: TestTenant
    let ids: string[]
    let opened: WatchedPage
    let page: Page
    beforeEach(async () => {
      tenant = await scene.service.newTenant()
      ids = await addTickets(tenant, [
        { subject: 'Printer on fire', dueOn: '2026-01-10', budget: 1250 },
        { subject: 'Two seats', status: 'waiting' },
        { subject: 'Scratch', description: `${'The desk has one. '.repeat(600)}Nobody is hurt.` },
      ])
      opened = await openConsole(scene.browser, scene.service, '/entities/ticket', { tenantId: tenant.id })
      page = opened.page
      await titlesOf(page)
    })

    const stored = async (index: number) => (await tenant.admin.get(`/api/tickets/${ids[index]}`)).body
    const becomes = (index: number, member: string, value: unknown) =>
      eventually(`${member} ${value}`, soonMs, async () => (await stored(index))[member] === value)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const cell = (title: string, name: string) =>
      page.getByRole('row').filter({ hasText: title }).getByRole('gridcell', { name })

    it('has one stop of the Tab key, and is changed in a cell with three keys', async () => {
      await page.getByRole('gridcell', { name: 'Printer on fire', exact: true }).focus()
      await press('ArrowDown', 'ArrowRight')
      assert.match(await focused(), /waiting/)
      assert.equal(await page.locator('[role=grid] [tabindex="0"]').count(), 1)
      await press('Enter', 'ArrowDown', 'Enter')
      await page.getByText('Status of Two seats is changed').waitFor()
      await becomes(1, 'status', 'closed')
      await cell('Two seats', 'closed').waitFor()
      await press('Control+z')
      await becomes(1, 'status', 'waiting')

      await press('Control+Home', 'ArrowRight', 'F2')
      const editor = page.getByRole('textbox', { name: 'Subject' })
      await editor.fill('Printer on ice')
      await press('Escape')
      assert.equal(await editor.count(), 0)
      assert.match(await focused(), /Printer on fire/)
      await press('End', 'Enter')
      await page.getByRole('textbox', { name: 'Budget' }).fill('-1')
      await press('Enter')
      const refused = page.getByRole('dialog', { name: 'Budget' })
      await refused.getByRole('alert').waitFor()
      assert.equal(await page.getByRole('textbox', { name: 'Budget' }).inputValue(), '-1')
      await page.getByRole('textbox', { name: 'Budget' }).fill('7')
      await press('Enter')
      await becomes(0, 'budget', 7)
      assertFaultless(opened, 400)
    })

    it('does not overwrite what somebody else has made of a cell', async () => {
      const budget = cell('Printer on fire', '1,250.00')
      await budget.click()
      assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid')
      await budget.click()
      const editor = page.getByRole('textbox', { name: 'Budget' })
      await editor.fill('5')
      await tenant.admin.patch(`/api/tickets/${ids[0]}`, { budget: 99 })
      await press('Enter')
      await page.getByRole('alert').getByText('Somebody has set it to “99.00” meanwhile.').waitFor()
      assert.equal((await stored(0)).budget, 99)
      await press('Escape')
      await cell('Printer on fire', '99.00').waitFor()
      await cell('Printer on fire', '99.00').dblclick()
      await editor.fill('6')
      await tenant.admin.patch(`/api/tickets/${ids[0]}`, { subject: 'Printer on ice' })
      await press('Enter')
      await becomes(0, 'budget', 6)
      assert.equal((await stored(0)).subject, 'Printer on ice')
      assertFaultless(opened)
    })

    it('shows a row beside it, and the next one, without leaving the list', async () => {
      await page.getByRole('gridcell', { name: 'Two seats', exact: true }).focus()
      await press('Space')
      const peek = (name: string) => page.getByRole('complementary', { name })
      await peek('Two seats').getByText('#2').waitFor()
      assert.equal(new URL(page.url()).searchParams.get('peek'), ids[1])
      await press('j')
      await peek('Scratch').getByText('Nobody is hurt.').waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      assert.match(await focused(), /Two seats/)
      const heights = await page.evaluate<number[]>(
        '[...document.querySelectorAll("tbody tr")].map((row) => row.offsetHeight)',
      )
      assert.deepEqual(new Set(heights).size, 1)
      await page.getByRole('searchbox', { name: 'Search' }).fill('hurt')
      await page.getByRole('columnheader', { name: 'Description' }).waitFor()
      await page.locator('mark').getByText('hurt').waitFor()
      assertFaultless(opened)
    })

    it('chooses a row with Shift and Space, and moves by what is visible', async () => {
      await page.getByRole('gridcell', { name: 'Two seats', exact: true }).focus()
      await press('Shift+Space')
      await page.getByText('1 chosen', { exact: true }).waitFor()
      assert.equal(await page.getByRole('complementary').count(), 0, 'no panel is opened')
      await press('Shift+Space')
      await page.getByText('1 chosen', { exact: true }).waitFor({ state: 'detached' })
      await press('PageUp')
      assert.match(await focused(), /Printer on fire/)
      assertFaultless(opened)
    })

    it('has rows of the chosen height: of the list alone, or of the user in every browser', async () => {
      const height = () => page.evaluate('document.querySelector("tbody tr").offsetHeight')
      const becomesHigh = (wanted: number) =>
        eventually(`rows of ${wanted}`, soonMs, async () => (await height()) === wanted)
      await becomesHigh(40)
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('button', { name: 'Compact' }).click()
      await becomesHigh(32)
      assert.equal(new URL(page.url()).searchParams.get('density'), 'compact')
      assert.deepEqual(await violationsOf(page), [])
      await page.goto(`${scene.service.url}/console/entities/ticket`)
      await titlesOf(page)
      await becomesHigh(40)
      await page.locator('.user-menu summary').click()
      await page.locator('.user-menu').getByLabel('Rows').selectOption('comfortable')
      await becomesHigh(52)
      await eventually('it is stored', soonMs, async () => {
        const { body } = await tenant.admin.get('/api/preferences')
        return body.some((each: { name: string; value: unknown }) => each.value === 'comfortable')
      })
      await page.evaluate(
        "localStorage.removeItem('tenantry.density'); localStorage.removeItem('tenantry.preferences')",
      )
      await page.reload()
      await titlesOf(page)
      await becomesHigh(52)
      await page.evaluate("localStorage.removeItem('tenantry.density')")
      assertFaultless(opened)
    })

    it('keeps widths and places of columns, also for another browser', async () => {
      const heading = page.getByRole('columnheader', { name: 'Status' })
      const width = async () => (await heading.boundingBox())?.width ?? 0
      const before = await width()
      await heading.focus()
      await press('Alt+ArrowRight', 'Alt+ArrowRight', 'Alt+Shift+ArrowRight')
      await eventually('a wider column', soonMs, async () => (await width()) === before + 32)
      assert.equal(new URL(page.url()).searchParams.get('columns'), 'subject,dueOn,status,budget')
      assert.match(await focused(), /Status/)
      await page.reload()
      await titlesOf(page)
      assert.equal(await width(), before + 32)
      await eventually('a preference', soonMs, async () => {
        const { body } = await tenant.admin.get('/api/preferences')
        return body.some(({ name }: { name: string }) => name === 'list.ticket')
      })
      await page.evaluate("localStorage.removeItem('tenantry.preferences')")
      await page.reload()
      await titlesOf(page)
      await eventually('the same width', soonMs, async () => (await width()) === before + 32)
      assertFaultless(opened)
    })

    it('changes a member of all chosen rows at once, and takes it back', async () => {
      await page.getByRole('gridcell', { name: 'Printer on fire', exact: true }).focus()
      await press('x', 'Shift+ArrowDown')
      await page.getByText('2 chosen', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Change a field' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change a field' })
      await dialog.getByLabel('Value').selectOption('closed')
      await dialog.getByRole('button', { name: 'Change', exact: true }).click()
      await becomes(1, 'status', 'closed')
      assert.deepEqual([(await stored(0)).status, (await stored(2)).status], ['closed', 'open'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await becomes(1, 'status', 'waiting')
      assert.equal((await stored(0)).status, 'open')
      assertFaultless(opened)
    })

    it('is saved as a view and shared, and says so when a field of it is gone', async () => {
      await page.getByRole('link', { name: 'Waiting', exact: true }).click()
      await eventually('the waiting one', soonMs, async () => `${await titlesOf(page)}` === 'Two seats')
      await show(page, '/entities/ticket?status=open&sort=-number&colour=red')
      await eventually('the open ones', soonMs, async () => (await titlesOf(page)).length === 2)
      assert.deepEqual(await titlesOf(page), ['Scratch', 'Printer on fire'])
      await page.locator('s').getByText('colour').waitFor()
      await page.getByRole('button', { name: 'Remove: colour' }).click()
      await page.getByRole('button', { name: 'Save as a view' }).click()
      await control(page, 'Name of the view').fill('Mine')
      await page.getByLabel('Everybody sees it').check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('link', { name: 'Mine' }).waitFor()
      await page.getByRole('link', { name: 'Scratch' }).click()
      await page.getByRole('heading', { name: 'Scratch' }).waitFor()
      await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').first().click()
      assert.deepEqual(await titlesOf(page), ['Scratch', 'Printer on fire'], 'the list as it was left')

      await tenant.admin.post('/api/users', person('colleague', { roles: ['Admin'] }))
      const other = await openConsole(scene.browser, scene.service, '/entities/ticket', {
        tenantId: tenant.id,
        userName: 'colleague',
      })
      await other.page.getByRole('link', { name: 'Mine' }).click()
      await eventually('the open ones', soonMs, async () => (await titlesOf(other.page)).length === 2)
      assert.deepEqual(await titlesOf(other.page), ['Scratch', 'Printer on fire'])
      assertFaultless(other)
    })
  },
  { options: ticketOptions },
)
