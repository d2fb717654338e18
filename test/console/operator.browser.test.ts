/** What operators of the service see in the console: pages about all tenants. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { intervalJobsOf } from '../../src/core/jobs.ts'
import { violationsOf } from '../support/accessibility.ts'
import { assertFaultless, control, inBrowser, openConsole, openFilter, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

inBrowser(
  'The pages of the host',
  (scene) => {
    let tenant: TestTenant
    before(async () => {
      tenant = await scene.service.newTenant()
    })

    /** The page asks again four times as often as it does usually. */
    const openAsOperator = async (path: string) => {
      const user = { tenantId: 'default', userName: 'admin' }
      const opened = await openConsole(scene.browser, scene.service, '', user)
      await opened.page.evaluate(
        'globalThis.setInterval = ((usual) => (act, ms) => usual(act, ms / 4))(setInterval)',
      )
      await show(opened.page, path)
      return opened
    }

    it('show the audit of all tenants, and of one', async () => {
      const opened = await openAsOperator('')
      const { page } = opened
      const named = page.waitForRequest(/\/api\/tenants\?id/)
      await show(page, '/audit')
      // The names of up to a hundred tenants come with one page of the list.
      assert.equal(new URL((await named).url()).searchParams.get('limit'), '100')
      await page.getByRole('columnheader', { name: 'Tenant' }).waitFor()
      const tenants = page.locator('tbody:not(.placeholder) td:nth-child(2)')
      await page.getByRole('cell', { name: 'default' }).first().waitFor()
      await page.getByText('Records in a database of a tenant’s own').waitFor()
      await openFilter(page, 'Tenant')
      await page.getByRole('combobox', { name: 'Tenant' }).fill(tenant.id)
      const filtered = page.waitForResponse((reply) => reply.url().includes(`tenantId=${tenant.id}`))
      await page.keyboard.press('Enter')
      await filtered
      await page.getByRole('cell', { name: 'default' }).first().waitFor({ state: 'detached' })
      assert.deepEqual([...new Set(await tenants.allInnerTexts())], [tenant.id])
      assert.ok(page.url().endsWith(`/console/audit?tenantId=${tenant.id}`))
      assertFaultless(opened)
    })

    it('find a tenant from anywhere, open it, and act as one of its users', async () => {
      const other = await scene.service.newTenant({ name: 'Harbour Café' })
      const opened = await openAsOperator('/entities/product')
      const { page } = opened
      const find = page.getByRole('combobox', { name: 'Find a tenant' })
      await page.locator('.tenant-menu summary').click()
      await find.fill('harbour')
      await page.getByRole('option', { name: 'Harbour Café' }).waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Harbour Café' }).waitFor()
      assert.equal(await find.count(), 0)
      await eventually('the title', soonMs, async () => (await page.title()).startsWith('Harbour Café · '))

      await show(page, '/entities/product')
      await page.locator('.tenant-menu summary').click()
      await page.getByRole('option').first().getByText(other.id).waitFor()
      assert.ok((await page.locator('.tenant-search').getByRole('option').count()) <= 5)
      await find.fill(other.id)
      await page.getByRole('option', { name: 'Harbour Café' }).waitFor()
      await page.keyboard.press('Control+Enter')
      const dialog = page.getByRole('dialog', { name: `Act as a user of ${other.id}` })
      await dialog.getByRole('option', { name: 'boss' }).waitFor()
      await page.keyboard.press('Enter')
      await control(page, 'Reason').fill('Ticket 4711')
      await page.getByRole('button', { name: 'Begin' }).click()
      await page.getByText(`You act as boss of ${other.id}`).waitFor()
      await page.locator('.tenant-menu summary').click()
      assert.equal(await page.getByRole('button', { name: 'Sign in to another tenant' }).count(), 0)
      await page.getByRole('button', { name: 'Stop acting' }).click()
      await page.getByRole('heading', { name: 'Users' }).waitFor()
      assertFaultless(opened)
    })

    it('say of each tenant that needs attention why, and send what has failed for good again', async () => {
      const url = 'http://127.0.0.1:9/'
      await tenant.admin.post('/api/webhooks/subscriptions', { url, events: ['bad.*'], retrySeconds: [] })
      await tenant.admin.post('/api/events', { type: 'bad.thing', data: {} })
      await scene.service.service.queueWorkers.drain()
      const opened = await openAsOperator('/health')
      const { page } = opened
      const card = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: tenant.id, exact: true }) })
      await card.getByText('1 delivery has failed for good').waitFor()
      await card.getByText('1 webhook fails').waitFor()
      await card.getByRole('link', { name: `Try again: ${tenant.id}` }).click()
      await page.waitForURL(`**/console/dead-letters?tenantId=${tenant.id}&of=deliveries`)
      const row = page.getByRole('row', { name: tenant.id })
      assert.match(await row.innerText(), /127\.0\.0\.1:9\s+1\s/)
      assert.deepEqual(await violationsOf(page), [])
      await row.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('1 tried again, in 1 tenant.').waitFor()
      const { body: audit } = await tenant.admin.get('/api/audit?action=deadLetters.replayed')
      assert.deepEqual(audit[0].detail, { deliveries: 1 })
      await page.getByRole('link', { name: 'Show all tenants' }).click()
      await page.waitForURL('**/console/dead-letters')
      await scene.service.service.queueWorkers.drain()
      assertFaultless(opened)
    })

    it('show how much a tenant uses and keeps', async () => {
      const { id, admin } = await scene.service.newTenant()
      const description = 'x'.repeat(2000)
      for (const name of ['Desk', 'Lamp']) await admin.post('/api/products', { name, price: 1, description })
      const { features } = scene.service.service
      const store = intervalJobsOf(features).find(({ name }) => name === 'store the usage of tenants')
      await store?.run(await scene.service.service.operator(), new AbortController().signal)
      const opened = await openAsOperator(`/tenants/${id}`)
      const { page } = opened
      const picture = page.getByRole('img', { name: /^\d+ requests, 0 errors$/ })
      await picture.locator('g').nth(13).waitFor()
      assert.equal(await picture.locator('g').count(), 14)
      await page.getByRole('button', { name: '24 hours' }).click()
      await picture.locator('g').nth(23).waitFor()
      const table = page.locator('.size-bars li').filter({ hasText: 'product' })
      assert.match(await table.innerText(), /2 rows/)
      assert.deepEqual(await violationsOf(page), [])
      assertFaultless(opened)
    })

    it('show of each tenant its state, its place, its size, its users and its failing webhooks', async () => {
      const own = await scene.service.newTenant({ connectionString: 'sqlite:listed.db', plan: 'pro' })
      await own.admin.get('/api/products')
      const opened = await openAsOperator('/tenants')
      const { page } = opened
      const row = page.getByRole('row', { name: own.id })
      await row.waitFor()
      const headings = await page.getByRole('columnheader').allInnerTexts()
      const cells = await row.getByRole('cell').allInnerTexts()
      const shown = new Map(headings.map((heading, index) => [heading, cells[index]]))
      const [state, place, users] = ['State', 'Database', 'Users'].map((name) => shown.get(name))
      assert.deepEqual([state, place, users], ['active', 'its own, SQLite', '2'])
      assert.match(shown.get('Size') ?? '', /^[\d.,]+ (kB|MB)$/)
      assert.equal(shown.get('Failing webhooks'), '0')
      const failing = page.getByRole('row', { name: tenant.id })
      await failing.getByText('kB').waitFor() // its rows are measured after the first look
      await failing.getByRole('img', { name: /requests in 14 days$/ }).waitFor()
      await failing.getByRole('link', { name: '1', exact: true }).click()
      await page.waitForURL('**/console/health')
      assertFaultless(opened)
    })

    it('show the instances with their versions, and the migrations', async () => {
      const opened = await openAsOperator('/instances')
      const { page } = opened
      const row = page.getByRole('row', { name: `${process.pid}` })
      await row.getByText('answers this page').waitFor()
      await row.getByText('serving').waitFor()
      await page.getByRole('row', { name: 'instance-0001' }).getByText('Yes').waitFor()
      assertFaultless(opened)
    })

    it('draw live figures as charts', async () => {
      const opened = await openAsOperator('/figures')
      const { page } = opened
      await page.getByRole('img', { name: /^Memory: now [\d.,]+ MB, at most/ }).waitFor()
      await scene.service.host.get('/api/tenants')
      const requests = page.getByRole('img', { name: /^Requests: now [\d.,]+\/s, at most/ })
      await requests.waitFor()
      assert.match((await requests.locator('path:not([class])').getAttribute('d')) ?? '', /^M\d/)
      await page.getByRole('img', { name: /^Waiting jobs: now 0, at most 0$/ }).waitFor()
      assertFaultless(opened)
    })

    it('back up, and erase a tenant only when its id is typed', async () => {
      const opened = await openAsOperator('/operations')
      const { page } = opened
      await page.getByRole('button', { name: 'Back up now' }).click()
      const backup = page.getByRole('row', { name: 'Backup' })
      await backup.getByText('done').waitFor()
      await backup.getByText(scene.service.dataDir).waitFor()
      const { id } = await scene.service.newTenant()
      await scene.service.host.delete(`/api/tenants/${id}`)
      await show(page, `/tenants/${id}`)
      await page.getByRole('button', { name: 'Erase' }).click()
      const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase' })
      await page.getByLabel('to confirm').fill('other')
      assert.equal(await erase.isDisabled(), true)
      await page.getByLabel('to confirm').fill(id)
      await erase.click()
      await page.getByRole('status').getByRole('link').click()
      await page.getByRole('row', { name: id }).getByText('done').waitFor()
      assert.equal((await scene.service.host.get(`/api/tenants/${id}`)).status, 404)
      assertFaultless(opened)
    })

    it('move a tenant to a database of its own, and show how far it is', async () => {
      const { id } = await scene.service.newTenant()
      const opened = await openAsOperator(`/tenants/${id}`)
      const { page } = opened
      await page.getByText('shared', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Move', exact: true }).click()
      const dialog = page.getByRole('dialog')
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await control(page, 'Name of the file').inputValue(), `${id.toLowerCase()}.db`)
      await control(page, 'Name of the file').fill('../up.db')
      await dialog.getByRole('button', { name: 'Move the tenant' }).click()
      await dialog.getByText('must be postgres://').last().waitFor()
      assert.equal(await control(page, 'Name of the file').getAttribute('aria-invalid'), 'true')
      await control(page, 'Where to').selectOption('shared')
      await dialog.getByRole('button', { name: 'Move the tenant' }).click()
      await dialog.getByText('The tenant is already in').waitFor()
      await control(page, 'Where to').selectOption('sqlite')
      await control(page, 'Name of the file').fill('moved.db')
      await dialog.getByRole('button', { name: 'Move the tenant' }).click()
      await page.waitForURL('**/console/operations')
      const row = page.getByRole('row', { name: id })
      await row.getByRole('progressbar', { name: 'Phase 5 of 5' }).waitFor()
      await row.getByText('removing the former rows').waitFor()
      // Beside both navigations nothing of the table is out of sight.
      assert.equal(page.viewportSize()?.width, 1280)
      assert.equal(await page.locator('.table').evaluate((each) => each.scrollWidth - each.clientWidth), 0)
      await row.getByRole('link', { name: id }).click()
      await page.getByText('its own, SQLite').waitFor()
      await page.getByText('A move to another database has begun').waitFor()
      await page.getByRole('button', { name: 'Abandon the move' }).waitFor()
      assertFaultless(opened, 400)
    })
  },
  { options: { deliveryStopWithinMs: 100 } }, // a tenant that moves is not waited for
)
