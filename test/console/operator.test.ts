/** What operators of the service see in the console: pages about all tenants. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import { atAnyCost, type TestTenant } from '../support/service.ts'

inBrowser(
  'The pages of the host',
  (scene) => {
    let tenant: TestTenant
    before(async () => {
      tenant = await scene.service.newTenant()
    })

    const openAsOperator = (path: string) =>
      openConsole(scene.browser, scene.service, path, { tenantId: 'default', userName: 'admin' })

    it('show the audit of all tenants, and of one', async () => {
      const opened = await openAsOperator('/audit')
      const { page } = opened
      await page.getByRole('columnheader', { name: 'Tenant' }).waitFor()
      const tenants = page.locator('tbody:not(.placeholder) td:nth-child(2)')
      await page.getByRole('cell', { name: 'default' }).first().waitFor()
      await page.getByText('Records in a database of a tenant’s own').waitFor()
      await control(page, 'Id of the tenant').fill(tenant.id)
      const filtered = page.waitForResponse((reply) => reply.url().includes(`tenantId=${tenant.id}`))
      await page.getByRole('button', { name: 'Apply' }).click()
      await filtered
      await page.getByRole('cell', { name: 'default' }).first().waitFor({ state: 'detached' })
      assert.deepEqual([...new Set(await tenants.allInnerTexts())], [tenant.id])
      assert.ok(page.url().endsWith(`/console/audit?tenantId=${tenant.id}`))
      assertFaultless(opened)
    })

    it('show in which tenants something waits or has failed, the worst first', async () => {
      const url = 'http://127.0.0.1:9/'
      await tenant.admin.post('/api/webhooks/subscriptions', { url, events: ['bad.*'], retrySeconds: [] })
      await tenant.admin.post('/api/events', { type: 'bad.thing', data: {} })
      await scene.service.service.queueWorkers.drain()
      const opened = await openAsOperator('/health')
      const { page } = opened
      const row = page.getByRole('row', { name: tenant.id })
      await row.waitFor()
      const cells = await row.getByRole('cell').allInnerTexts()
      assert.deepEqual(cells, [tenant.id, '1', '0', '1', '0', '0', '0', '0', '0'])
      await row.getByRole('link').click()
      await page.waitForURL(`**/console/tenants/${tenant.id}`)
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
      const requests = page.getByRole('img', { name: /^Requests: now [\d.,]+ per second, at most/ })
      await requests.waitFor()
      assert.match((await requests.locator('path').getAttribute('d')) ?? '', /^M\d/)
      await page.getByRole('img', { name: /^Waiting jobs: now 0, at most 0$/ }).waitFor()
      assertFaultless(opened)
    })

    it('are not those of an administrator of another tenant', async () => {
      const opened = await openConsole(scene.browser, scene.service, '/audit', { tenantId: tenant.id })
      await opened.page.getByRole('cell', { name: 'session.started' }).first().waitFor()
      assert.equal(await opened.page.getByRole('columnheader', { name: 'Tenant' }).count(), 0)
      assertFaultless(opened)
    })
  },
  atAnyCost,
)
