/** What hints of a definition make of lists, forms and rows. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { date, entity, file, integer, oneOf, text, timestamp } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { upload } from '../files/scene.ts'
import { violationsOf } from '../support/accessibility.ts'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, titlesOf } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { png } from '../support/files/contents.ts'
import type { TestTenant } from '../support/service.ts'

const task = entity('task', {
  description: 'What somebody has to do.',
  fields: {
    title: text({ max: 60 }),
    state: oneOf('open', 'blocked', 'done').default('open'),
    dueOn: date().optional(),
    remindAt: timestamp().optional(),
    notes: text({ max: 20_000 }).optional(),
    token: text().optional(),
    phone: text().optional(),
    colour: text().optional(),
    progress: integer().optional(),
    size: integer().optional(),
    effort: integer().optional(),
    picture: file({ types: ['image/png'] }).optional(),
  },
  search: ['title'],
  actions: {
    finish: { from: { state: ['open', 'blocked'] }, to: { state: 'done' } },
    reopen: { from: { state: 'done' }, to: { state: 'open' } },
  },
  console: {
    icon: { path: 'M4 4h16v16H4z' },
    help: 'Everything that is to be done.',
    title: 'title',
    image: 'picture',
    list: { columns: ['title', 'state', 'dueOn'], sort: 'title', density: 'compact', pageSize: 5 },
    sections: [
      { title: 'Task', fields: ['title', 'state', 'dueOn'] },
      { title: 'Reminder', fields: ['remindAt'], folded: true },
      { title: 'Notes', fields: ['notes'], if: { state: 'open' } },
    ],
    widgets: {
      notes: 'markdown',
      token: 'secret',
      phone: 'phone',
      colour: 'color',
      progress: 'percent',
      size: 'bytes',
      effort: 'duration',
    },
    badges: { late: { if: { 'dueOn[lt]': 'today' }, text: 'Late', tone: 'bad' } },
    actions: { finish: { undo: 'reopen', icon: 'check', key: 'f' } },
    home: { figure: 'sum(effort)', label: 'Effort of open tasks', if: { state: 'open' } },
  },
})

inBrowser(
  'The hints of an entity',
  (scene) => {
    let tenant: TestTenant
    let opened: WatchedPage
    let page: Page
    beforeEach(async () => {
      tenant = await scene.service.newTenant()
    })
    const open = async (path: string) => {
      opened = await openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
      page = opened.page
    }
    const addTask = async (members: object): Promise<string> =>
      (await tenant.admin.post('/api/tasks', members)).body.id
    const addTasks = async () => {
      for (let count = 1; count <= 7; count += 1)
        await addTask({ title: `Task ${count}`, state: count % 3 === 0 ? 'blocked' : 'open' })
    }
    const states = async () => {
      const { body } = await tenant.admin.get('/api/tasks?sort=title')
      return body.map(({ state }: { state: string }) => state.slice(0, 1)).join('')
    }
    const become = (wanted: string) => eventually(wanted, soonMs, async () => (await states()) === wanted)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")')
    const chooseAll = async () => {
      await page.getByRole('checkbox', { name: 'Choose all rows of the page' }).check()
      await page.getByRole('button', { name: 'Choose all 7 that match' }).click()
    }

    it('let a day be typed or chosen in the language of the console, whatever that of the browser is', async () => {
      await open('/entities/task/new')
      await page.evaluate("localStorage.setItem('tenantry.language', 'de')")
      await page.reload()
      await control(page, 'Title').fill('Anrufen')
      const day = page.getByLabel(/^Due on/)
      assert.equal(await day.getAttribute('placeholder'), 'TT.MM.JJJJ')
      await day.fill('13.2.2026')
      await press('ArrowDown')
      const calendar = page.getByRole('dialog', { name: 'Tag auswählen' })
      await calendar.getByRole('heading', { name: 'Februar 2026' }).waitFor()
      assert.match(await focused(), /13\. Februar/)
      assert.equal(await calendar.getByRole('columnheader').first().innerText(), 'Mo')
      assert.deepEqual(await violationsOf(page), [])
      await press('PageDown', 'End')
      assert.match(await focused(), /15\. März/)
      await press('Escape')
      await calendar.waitFor({ state: 'detached' })
      assert.equal(await day.inputValue(), '13.02.2026')
      await press('ArrowDown', 'ArrowDown', 'Enter')
      await calendar.waitFor({ state: 'detached' })
      assert.equal(await day.inputValue(), '20.02.2026')

      await page.getByText('Reminder', { exact: true }).click()
      const moment = page.getByLabel(/^Remind at/)
      await moment.fill('1.3.26')
      await page.getByRole('textbox', { name: 'Uhrzeit' }).fill('9:30')
      await press('Tab')
      assert.deepEqual(await moment.inputValue(), '01.03.2026')
      assert.equal(await page.getByRole('textbox', { name: 'Uhrzeit' }).inputValue(), '09:30')
      const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
      await page.getByText(zone, { exact: true }).waitFor()
      await press('Control+Enter')
      await eventually('a task', soonMs, async () => (await tenant.admin.get('/api/tasks')).body.length === 1)
      const { dueOn, remindAt } = (await tenant.admin.get('/api/tasks')).body[0]
      assert.equal(dueOn, '2026-02-20')
      assert.equal(remindAt, await page.evaluate("new Date('2026-03-01T09:30').toISOString()"))
      assertFaultless(opened)
    })

    it('keep what is no day as it is typed, and say so', async () => {
      const id = await addTask({ title: 'Call', dueOn: '2026-02-13' })
      await open(`/entities/task/${id}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await control(page, 'Due on').fill('31/02/2026')
      await press('Control+s')
      await page.getByText('1 field to correct:').waitFor()
      const headings = await page.locator('form h2').allInnerTexts()
      assert.deepEqual(headings, ['Task 1 field to correct', 'Reminder', 'Notes'])
      const marks = await page.locator('form label:has(.optional)').allInnerTexts()
      assert.ok(marks.includes('Notes optional') && !marks.some((label) => label.startsWith('Title')))
      assert.equal(await control(page, 'Due on').inputValue(), '31/02/2026')
      assert.equal(await control(page, 'Due on').getAttribute('aria-invalid'), 'true')
      await page.getByRole('button', { name: 'Choose a day' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Today' }).click()
      await press('Control+s')
      const today = await page.evaluate("new Date().toLocaleDateString('sv')")
      await eventually('today', soonMs, async () => {
        const { body } = await tenant.admin.get(`/api/tasks/${id}`)
        return body.dueOn === today
      })
      assertFaultless(opened, 400)
    })

    it('show Markdown where it is read, and beside the text where it is written', async () => {
      const notes =
        '# Plan\n\n- **first**\n- [site](https://example.com)\n\n<img src=x onerror="document.title=1">'
      const id = await addTask({ title: 'Call', notes })
      await open(`/entities/task/${id}`)
      await page.getByRole('heading', { name: 'Plan', level: 2 }).waitFor()
      await page.getByRole('link', { name: 'site' }).waitFor()
      await page.getByText('<img src=x onerror="document.title=1">').waitFor()
      assert.equal(await page.locator('.markdown img').count(), 0)
      assert.equal(await page.getByText('Remind at').isVisible(), false, 'a folded section is closed')
      assert.deepEqual(await violationsOf(page), [])

      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('textbox', { name: 'Notes' }).fill('## Other')
      await page.getByRole('tab', { name: 'Preview' }).click()
      await page.getByRole('heading', { name: 'Other', level: 2 }).waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await page.getByRole('tab', { name: 'Text' }).click()
      assert.equal(await page.getByRole('textbox', { name: 'Notes' }).inputValue(), '## Other')
      await page.getByRole('radio', { name: 'done' }).check({ force: true })
      await page.getByRole('tab', { name: 'Text' }).waitFor({ state: 'detached' })
      assertFaultless(opened)
    })

    it('show values as their widgets say, and call an action by its key', async () => {
      const picture = await upload(tenant.admin, png, { name: 'one.png', type: 'image/png' })
      const values = {
        token: 'hidden',
        phone: '+41 44',
        colour: '#ff0000',
        progress: 40,
        size: 2500,
        effort: 5400,
      }
      const id = await addTask({ title: 'Call', pictureId: picture.body.id, ...values })
      await open(`/entities/task/${id}`)
      const shownAt = (label: string) => page.locator('.pair').filter({ hasText: label }).locator('dd')
      await shownAt('Progress').getByText('40%').waitFor()
      await shownAt('Size').getByText('2.5 kB').waitFor()
      await shownAt('Effort').getByText('1 hr 30 min').waitFor()
      await shownAt('Phone').getByRole('link', { name: '+41 44' }).waitFor()
      assert.equal(await shownAt('Colour').locator('path').first().getAttribute('fill'), '#ff0000')
      await shownAt('Token').getByText('••••••••').waitFor()
      assert.equal(await page.getByText('hidden', { exact: true }).count(), 0)
      await page.locator('.record-head img').waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await press('f')
      await become('d')
      await page.goto(`${scene.service.url}/console/entities/task`)
      await page.getByText('Everything that is to be done.').waitFor()
      assert.equal(await page.locator('.list-head .tile path').getAttribute('d'), 'M4 4h16v16H4z')
      assertFaultless(opened)
    })

    it('give a list its height of rows, its pages and its badges, and a filter the numbers of its words', async () => {
      await addTasks()
      await addTask({ title: 'Call', dueOn: '2020-01-01' })
      await open('/entities/task')
      assert.deepEqual(await titlesOf(page), ['Call', 'Task 1', 'Task 2', 'Task 3', 'Task 4'])
      await page.getByRole('gridcell', { name: 'Late Call' }).waitFor()
      const height = () => page.evaluate('document.querySelector("tbody tr").offsetHeight')
      assert.equal(await height(), 32)
      await page.evaluate("localStorage.setItem('tenantry.density', 'comfortable')")
      await page.reload()
      await titlesOf(page)
      assert.equal(await height(), 52)

      await page.goto(`${scene.service.url}/console/entities/task?title[istartsWith]=Task`)
      await page.getByRole('button', { name: 'Add a filter' }).click()
      await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'State' })
      for (const words of ['open 5', 'blocked 2', 'done 0'])
        await page.getByRole('checkbox', { name: words, exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Due on' })
      await page.getByRole('button', { name: 'Last 7 days' }).click()
      await page.getByText('is at least 7 days ago').waitFor()
      assert.equal(new URL(page.url()).searchParams.get('dueOn[gte]'), 'today-7')
      await page.getByRole('button', { name: 'Add a filter' }).click()
      await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Due on' })
      await page.getByRole('textbox', { name: 'Value' }).fill('1/1/2020')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('No tasks match').or(page.getByText('Nothing matches')).first().waitFor()
      assert.equal(new URL(page.url()).searchParams.get('dueOn'), '2020-01-01')

      const queries: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/graphql')) queries.push(request.postData() ?? '')
      })
      const crafted = encodeURIComponent('1}},{progress:{eq:2')
      await page.goto(`${scene.service.url}/console/entities/task?progress=${crafted}`)
      await page.getByRole('button', { name: 'Add a filter' }).click()
      await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'State' })
      await page.getByRole('checkbox', { name: /^open/ }).waitFor()
      await page.locator('.chip', { hasText: 'This value is not valid' }).waitFor()
      assert.deepEqual(
        queries.filter((query) => query.includes('progress')),
        [],
      )
      assertFaultless(opened)
    })

    it('show a figure on the first page, which leads to its rows', async () => {
      await addTask({ title: 'Long', effort: 7200 })
      await addTask({ title: 'Short', effort: 1800 })
      await addTask({ title: 'Over', effort: 60, state: 'done' })
      await open('')
      const figure = page.getByRole('link', { name: 'Effort of open tasks' })
      await figure.getByText('2 hrs 30 mins').waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await figure.click()
      assert.deepEqual(await titlesOf(page), ['Long', 'Short'])
      assertFaultless(opened)
    })

    it('take back what was done with all rows that match, each to what it was', async () => {
      await addTasks()
      await open('/entities/task')
      await titlesOf(page)
      await chooseAll()
      await page.getByRole('button', { name: 'Change a field' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change a field' })
      await dialog.getByRole('combobox', { name: 'Value' }).selectOption('done')
      await dialog.getByRole('button', { name: 'Change', exact: true }).click()
      await become('ddddddd')
      const { body } = await tenant.admin.get('/api/tasks?title=Task%204')
      await tenant.admin.patch(`/api/tasks/${body[0].id}`, { state: 'blocked' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await become('oobbobo')
      const reason = 'The resource has changed since it was read.'
      await page.getByText(`Taken back: 6 done, 1 refused. ${reason}`, { exact: true }).waitFor()

      await page.getByText('7 chosen', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Finish' }).click()
      await become('ddddddd')
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await become('ooooooo')
      await page.getByText('Taken back: 7 done.', { exact: true }).waitFor()
      assertFaultless(opened)
    })
  },
  { options: { features: migrated([task]) } },
)
