/** Inputs that follow what a definition says of its fields: JSON by its members, and the choice of another row. */
import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { Type } from 'typebox'
import { boolean, date, entity, file, json, oneOf, reference, text } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { violationsOf } from '../support/accessibility.ts'
import type { WatchedPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, show } from '../support/console.ts'
import type { TestTenant } from '../support/service.ts'

const task = entity('task', {
  fields: {
    title: text({ max: 60 }),
    phone: text().optional(),
    state: oneOf('open', 'done').default('open'),
    dueOn: date().optional(),
    contact: json(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 40 }),
          floor: Type.Optional(Type.Integer({ maximum: 90 })),
          way: Type.Optional(Type.Union([Type.Literal('mail'), Type.Literal('phone')])),
          isUrgent: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
    ).optional(),
    isLate: boolean().default(false),
    free: json(Type.Record(Type.String(), Type.Unknown())).optional(),
    plan: file({ types: ['image/png'] }).optional(),
  },
  console: {
    title: 'title',
    widgets: { isLate: 'switch' },
    subtitle: '{state} · {dueOn}',
    list: { columns: ['title', 'state', 'dueOn'], sort: 'title' },
  },
})
const step = entity('step', { fields: { name: text(), task: reference(task) } })

inBrowser(
  'The inputs of a form',
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
    const addTask = async (members: object): Promise<string> => {
      const { status, body, text: answered } = await tenant.admin.post('/api/tasks', members)
      assert.equal(status, 201, answered)
      return body.id
    }
    const press = (key: string) => page.keyboard.press(key)

    it('make a form of JSON whose members are known, and leave the rest as text', async () => {
      const id = await addTask({ title: 'Call', free: { any: 1 } })
      const stored = async () => (await tenant.admin.get(`/api/tasks/${id}`)).body
      await open(`/entities/task/${id}`)
      const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click()
      await edit()
      const contact = page.getByRole('group', { name: 'Contact' })
      assert.equal(await contact.locator('textarea').count(), 0)
      assert.equal(await control(page, 'Free').inputValue(), '{\n  "any": 1\n}')
      await control(contact, 'Floor').fill('100')
      await contact.getByText('mail', { exact: true }).click()
      await press('Control+s')
      await page.getByText('2 fields to correct:').waitFor()
      for (const [label, name] of [
        ['Contact: Floor', 'Floor'],
        ['Contact: Name', 'Name'],
      ] as const) {
        await page.getByRole('button', { name: label, exact: true }).click()
        assert.equal(await control(contact, name).evaluate((input) => input === document.activeElement), true)
      }
      assert.equal(await control(contact, 'Name').getAttribute('aria-invalid'), 'true')
      assert.equal(await control(contact, 'Floor').getAttribute('aria-invalid'), 'true')
      assert.deepEqual(await violationsOf(page), [])
      await control(contact, 'Name').fill('Ada')
      await control(contact, 'Floor').fill('')
      await press('Control+Enter')
      await page.getByText('Saved.').waitFor()
      assert.deepEqual((await stored()).contact, { name: 'Ada', way: 'mail', isUrgent: false })

      await edit()
      await control(contact, 'Is urgent').check()
      await contact.getByRole('button', { name: /Is urgent/ }).click()
      assert.equal(await control(contact, 'Is urgent').isChecked(), false)
      await control(page, 'Free').fill('{"any": ')
      await page
        .getByText(/line 1/i)
        .first()
        .waitFor()
      assertFaultless(opened, 400)
    })

    it('take back what was chosen in a form of JSON, down to no value', async () => {
      const contact = { name: 'Ada', way: 'mail', isUrgent: false }
      const id = await addTask({ title: 'Call', contact })
      const stored = async () => (await tenant.admin.get(`/api/tasks/${id}`)).body
      await open(`/entities/task/${id}`)
      const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click()
      const group = page.getByRole('group', { name: 'Contact' })
      const save = async () => {
        await press('Control+Enter')
        await group.waitFor({ state: 'detached' })
      }
      await edit()
      await group.getByText('—', { exact: true }).click()
      await save()
      assert.deepEqual((await stored()).contact, { name: 'Ada', isUrgent: false })
      await edit()
      await group.getByRole('button', { name: 'Clear', exact: true }).click()
      assert.equal(await control(group, 'Name').inputValue(), '')
      await save()
      assert.equal((await stored()).contact, null)

      await edit()
      assertFaultless(opened)
    })

    it('stay text while one types what could be a form', async () => {
      await open('/entities/task/new')
      await control(page, 'Title').fill('Call')
      await page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.endsWith('task/new')))
      // As it was typed before the definition lost a member.
      await page.evaluate(() => {
        const key = Object.keys(sessionStorage).find((each) => each.endsWith('task/new')) ?? ''
        const draft = JSON.parse(sessionStorage.getItem(key) ?? '')
        draft.values.contact = { name: 'Ada', gone: 1 }
        sessionStorage.setItem(key, JSON.stringify(draft))
      })
      await page.reload()
      const contact = control(page, 'Contact')
      assert.match(await contact.inputValue(), /"gone": 1/)
      await contact.fill('')
      await page.keyboard.type('{"name": "Ada"}')
      assert.equal(await contact.inputValue(), '{"name": "Ada"}')
      assertFaultless(opened)
    })

    it('choose no row that was found for an earlier text', async () => {
      for (const title of ['Alpha', 'Beta', 'Gamma']) await addTask({ title })
      await open('/entities/step/new')
      const picker = control(page, 'Task')
      await picker.focus()
      await page.getByRole('option', { name: 'Alpha' }).waitFor()
      const search = /\/api\/tasks\?.*Gam/
      await page.route(search, () => undefined) // it is not answered
      await picker.pressSequentially('Gam')
      await page.getByRole('option', { name: 'Beta' }).waitFor({ state: 'detached' })
      await press('Enter')
      assert.equal(await picker.getAttribute('placeholder'), 'Gamma')
      await page.unroute(search)
      assertFaultless(opened)
    })

    it('leave a dialog open when no file was chosen, and close the calendar by its button', async () => {
      await open('/entities/step/new')
      await control(page, 'Task').focus()
      await page.getByRole('option', { name: 'New task' }).click()
      const dialog = page.getByRole('dialog', { name: 'New task' })
      await control(dialog, 'Title').fill('Dig')
      await dialog.locator('input[type=file]').dispatchEvent('cancel', { bubbles: true })
      assert.equal(await control(dialog, 'Title').inputValue(), 'Dig')
      const days = page.getByRole('dialog', { name: 'Choose a day' })
      const button = dialog.getByRole('button', { name: 'Choose a day' })
      await button.click()
      await days.waitFor()
      await button.click()
      await days.waitFor({ state: 'detached' })
      await button.click()
      await days.waitFor()
      await press('Escape')
      await days.waitFor({ state: 'detached' })
      assert.equal(await control(dialog, 'Title').inputValue(), 'Dig')
      assertFaultless(opened)
    })

    it('count letters as the service does, from nine tenths of the maximum', async () => {
      await open('/entities/task/new')
      const title = control(page, 'Title')
      const count = page.locator('.field').filter({ has: title }).getByRole('status')
      await title.fill('🙂'.repeat(54))
      await count.getByText('54 of 60').waitFor()
      assert.equal(await count.getAttribute('class'), 'hint')
      await title.fill('🙂'.repeat(31))
      await count.waitFor({ state: 'detached' })
      assertFaultless(opened)
    })

    it('show the chosen segment where the system chooses the colours', async () => {
      await open('/entities/task/new')
      const ground = (word: string) =>
        page
          .locator('.segment')
          .filter({ hasText: word })
          .evaluate((label) => getComputedStyle(label).backgroundColor)
      await page.emulateMedia({ forcedColors: 'active' })
      await page.locator('.segment').filter({ hasText: 'mail' }).click()
      const [chosen, other] = [await ground('mail'), await ground('phone')]
      await page.emulateMedia({ forcedColors: null }) // the next test may have the same page
      assert.notEqual(chosen, other)
    })

    it('show the state of a switch where the system chooses the colours', async () => {
      await open('/entities/task/new')
      const drawn = () => control(page, 'Is late').evaluate((input) => getComputedStyle(input).appearance)
      assert.equal(await drawn(), 'none')
      await page.emulateMedia({ forcedColors: 'active' })
      const forced = await drawn()
      await page.emulateMedia({ forcedColors: null }) // the next test may have the same page
      assert.equal(forced, 'auto')
      assert.equal(await drawn(), 'none')
    })

    it('offer rows that were looked at first, and name a row with what its lists show', async () => {
      const ids: string[] = []
      for (let count = 1; count <= 10; count++)
        ids.push(await addTask({ title: `Task ${count}`, dueOn: '2026-02-13', phone: '1' }))
      await open('')
      for (const place of [9, 4]) {
        await show(page, `/entities/task/${ids[place]}`)
        await page.getByRole('heading', { name: `Task ${place + 1}`, exact: true }).waitFor()
      }
      await show(page, '/entities/step/new')
      await control(page, 'Task').focus()
      const options = page.locator('.picker').getByRole('option')
      await options.first().waitFor()
      const titles = await options.locator('.names > :first-child').allInnerTexts()
      const others = [1, 2, 3, 4, 6, 7].map((number) => `Task ${number}`)
      assert.deepEqual(titles.slice(0, 8), ['Task 5', 'Task 10', ...others])
      await options.first().getByText('open · ').waitFor()
      assert.deepEqual(await violationsOf(page), [])

      const { body } = await tenant.admin.post('/api/steps', { name: 'Dial', taskId: ids[0] })
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      await page.route(/\/api\/tasks\?id/, async (route) => {
        await answered
        await route.continue()
      })
      await show(page, `/entities/step/${body.id}`)
      await page.locator('dd .pending').waitFor()
      answer()
      await page.locator('dd').getByRole('link', { name: 'Task 1', exact: true }).hover()
      const card = page.getByRole('tooltip')
      await card.getByText('open · ').waitFor()
      assert.deepEqual((await card.locator('dt').allInnerTexts()).slice(0, 2), ['State', 'Due on'])
      assertFaultless(opened)
    })
  },
  { options: { features: migrated([task, step]) } },
)
