/** Pages and panels of an application: what they are told, what they can ask for, and what they cannot reach. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { comment, note } from '../../examples/helpdesk/comment.ts'
import { customer } from '../../examples/helpdesk/customer.ts'
import { team, teamMember } from '../../examples/helpdesk/team.ts'
import { ticket } from '../../examples/helpdesk/ticket.ts'
import { consolePage } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { violationsOf } from '../support/accessibility.ts'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

const friendly = consolePage(new URL('frames/friendly/', import.meta.url))
const hostile = consolePage(new URL('frames/hostile/', import.meta.url))
const example = consolePage(new URL('../../examples/helpdesk/panels/customer-tickets/', import.meta.url))

const options = {
  features: migrated([team, teamMember, customer, ticket, comment, note]),
  console: {
    pages: {
      workload: { label: 'Workload', labels: { de: 'Auslastung' }, icon: 'chart-bar', content: friendly },
      salaries: { label: 'Salaries', permission: 'role:write', content: friendly },
      teams: {
        label: 'Open tickets',
        permission: 'role:write',
        content: consolePage(new URL('../../examples/helpdesk/pages/workload/', import.meta.url)),
      },
    },
    panels: {
      'customer-tickets': { label: 'Other tickets', place: 'row.side', entity: 'ticket', content: example },
      notes: { label: 'Scratch pad', place: 'row.tab', entity: 'ticket', content: friendly },
      summary: { label: 'Summary', place: 'list.above', entity: 'ticket', content: friendly },
      greeting: { label: 'Greeting', place: 'home', content: hostile },
    },
  },
} as const

inBrowser(
  'Pages and panels of an application',
  (scene) => {
    let tenant: TestTenant
    let ids: string[]
    before(async () => {
      tenant = await scene.service.newTenant()
      const { id: contactId } = (await tenant.admin.get('/api/auth/me')).body
      const added = await tenant.admin.post('/api/customers', { name: 'Nordic Timber', contactId })
      const { id: customerId } = added.body
      const made = ['Door squeaks', 'Window is stuck'].map((title) =>
        tenant.admin.post('/api/tickets', { title, customerId }),
      )
      ids = (await Promise.all(made)).map(({ body }) => body.id)
    })

    const open = (path: string, userName = 'boss') =>
      openConsole(scene.browser, scene.service, path, { tenantId: tenant.id, userName })
    const frameOf = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`)

    it('show the panel of the example beside a row, and follow to another', async () => {
      const opened = await open(`/entities/ticket/${ids[0]}`)
      const { page } = opened
      const panel = frameOf(page, 'Other tickets')
      await panel.getByRole('button', { name: 'Window is stuck open' }).click()
      await page.getByRole('heading', { name: 'Window is stuck' }).waitFor()
      await panel.getByRole('button', { name: 'Door squeaks open' }).waitFor()
      await page.getByRole('link', { name: 'Open tickets' }).click()
      await frameOf(page, 'Open tickets')
        .getByRole('row', { name: /^No team 2/ })
        .waitFor()
      assert.deepEqual(await violationsOf(page), [])
      assertFaultless(opened)
    })

    it('are told of the user, the row and its changes, and of the theme', async () => {
      const { page } = await open(`/entities/ticket/${ids[0]}?tab=panel.notes`)
      const panel = frameOf(page, 'Scratch pad')
      const init = JSON.parse(await panel.locator('#init').filter({ hasText: 'row' }).innerText())
      const { user, tenant: told, row, entity, permissions, tokens, language, theme } = init
      assert.equal(user.userName, 'boss')
      assert.equal('permissions' in user, false)
      assert.equal(told.id, tenant.id)
      assert.deepEqual(
        [row.id, row.title, entity, language, theme],
        [ids[0], 'Door squeaks', 'ticket', 'en', 'system'],
      )
      assert.ok(permissions.includes('ticket:write'))
      for (const token of ['--ink', '--accent', '--font']) assert.ok(tokens.includes(token), token)
      assert.equal((await tenant.admin.patch(`/api/tickets/${ids[0]}`, { title: 'Door creaks' })).status, 200)
      await panel.locator('#row').getByText('Door creaks').waitFor()
      await page.evaluate(`document.documentElement.style.setProperty('--accent', '#123456')`)
      await panel.locator('#theme').getByText('system #123456').waitFor()
      const [ofConsole, ofPanel] = [page.locator('body'), panel.locator('body')]
      const inkOf = (element: Element) => getComputedStyle(element).color
      assert.equal(await ofPanel.evaluate(inkOf), await ofConsole.evaluate(inkOf))
    })

    it('lead elsewhere, say something, open the palette, and take the room that they need', async () => {
      const opened = await open('/pages/workload')
      const { page } = opened
      assert.equal(await page.getByRole('link', { name: 'Workload' }).getAttribute('aria-current'), 'page')
      const panel = frameOf(page, 'Workload')
      await panel.locator('#toast').click()
      await page.getByRole('status').getByText('Hello from within').waitFor()
      await panel.locator('#grow').click()
      await eventually('the frame grows', soonMs, async () => (await heightOf(page)) > 700)
      await panel.locator('#find').click()
      await page.getByRole('combobox').fill('Worklo')
      await page.getByRole('option', { name: 'Workload' }).waitFor()
      await page.keyboard.press('Escape')
      await panel.locator('#out').click()
      assert.deepEqual(await violationsOf(page), [])
      await panel.locator('#go').click()
      await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor()
      assert.equal(new URL(page.url()).search, '?sort=name')
      assertFaultless(opened)
    })

    it('ask before what was typed in them is left, and change rows, which is shown as code', async () => {
      const opened = await open(`/entities/ticket/${ids[1]}?tab=panel.notes`)
      const { page } = opened
      const panel = frameOf(page, 'Scratch pad')
      await panel.locator('#init').filter({ hasText: 'row' }).waitFor()
      await panel.locator('#type').click()
      await page.getByRole('link', { name: 'Home' }).first().click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
      await panel.locator('#save').click()
      await page.locator('.badge').getByText('closed').waitFor()
      await page.getByRole('button', { name: 'As code' }).or(page.getByText('As code')).first().click()
      await page.getByText(`POST /api/tickets/${ids[1]}/close`).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Workload' }).click()
      await page.getByRole('heading', { name: 'Workload' }).waitFor()
      assertFaultless(opened)
    })

    it('ask once more before what was typed in one that stays on the page is left', async () => {
      const { page } = await open('/entities/ticket')
      const panel = frameOf(page, 'Summary')
      await panel.locator('#init').filter({ hasText: 'entity' }).waitFor()
      const question = page.getByRole('alertdialog')
      await panel.locator('#type').click()
      await page.getByRole('button', { name: 'Title', exact: true }).first().click()
      await question.getByRole('button', { name: 'Leave' }).click()
      await question.waitFor({ state: 'hidden' })
      await panel.locator('#type').click()
      await page.getByRole('link', { name: 'Home' }).first().click()
      await question.getByRole('button', { name: 'Stay' }).click()
      assert.match(page.url(), /sort=/)
    })

    it('reach neither storage, nor the console, nor the API, and are refused what is not theirs', async () => {
      const { page } = await open('/')
      const report = frameOf(page, 'Greeting').locator('#report')
      const found = JSON.parse(await report.filter({ hasText: 'told' }).innerText())
      const { told, ...rest } = found
      assert.deepEqual(rest, {
        ...withoutOrigin,
        parent: 'SecurityError',
        top: 'SecurityError',
        admitted: 20,
        refused: 1,
        outside: [400, 400, 400, 400, 400, 400, 400],
        method: 400,
        tokens: [403, 403, 403, 403, 403],
        circle: 400,
      })
      // It asked for a hundred at once, of which twenty a second are done.
      const entries = await page.evaluate<number>('history.length')
      assert.ok(entries > 10 && entries < 80, `${entries} entries of the history`)
      const kept = await page.evaluate<string>('JSON.stringify(localStorage)')
      assert.match(kept, /refreshToken/)
      assert.doesNotMatch(told, /[Tt]oken"|eyJ/)
      assert.match(new URL(page.url()).pathname, /^\/console\/?$/)
      const sandbox = await page.locator('iframe').getAttribute('sandbox')
      assert.equal(sandbox, 'allow-scripts allow-forms')
    })

    it('reach nothing when they are opened without the console', async () => {
      const { page } = await open('/')
      await page.goto(`${scene.service.url}/console/frames/greeting/index.html`)
      const report = page.locator('#report').filter({ hasText: 'origin' })
      const { parent: _, top: __, ...found } = JSON.parse(await report.innerText())
      assert.deepEqual(found, withoutOrigin)
      await page.goto(`${scene.service.url}/health/live`)
    })

    it('are hidden from users without their permission', async () => {
      const { page } = await open('/entities/ticket', 'worker')
      await frameOf(page, 'Summary').locator('#init').filter({ hasText: 'entity' }).waitFor()
      const { y, height } = (await page.locator('iframe').boundingBox()) ?? assert.fail('no frame')
      const views = await page.locator('.view-tabs').boundingBox()
      const head = await page.locator('.list-head').boundingBox()
      assert.ok(head !== null && views !== null && head.y + head.height <= y && y + height < views.y)
      assert.deepEqual(await violationsOf(page), [])
      await page.getByRole('link', { name: 'Workload' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Salaries' }).count(), 0)
      const names = async (caller: TestTenant['admin']) =>
        (await caller.get('/api/console?language=de')).body.map(({ label }: { label: string }) => label)
      assert.deepEqual((await names(tenant.user)).slice(0, 2), ['Auslastung', 'Other tickets'])
      assert.deepEqual((await names(tenant.admin)).slice(0, 2), ['Auslastung', 'Salaries'])
      assert.equal((await scene.service.anonymous.get('/api/console')).status, 401)
    })
  },
  { options },
)

async function heightOf(page: Page): Promise<number> {
  return (await page.locator('iframe').boundingBox())?.height ?? 0
}

const withoutOrigin = {
  origin: 'null',
  inline: 'blocked',
  storage: 'SecurityError',
  session: 'SecurityError',
  cookie: 'SecurityError',
  opened: 'null',
  api: 'TypeError',
  elsewhere: 'TypeError',
}
