/** Pages of the host that need an application: what failed for good in all tenants, past figures, settings of the host. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { Type } from 'typebox'
import { setting } from '../../src/index.ts'
import { MailRefused, type MailTransport } from '../../src/mail/transport/transport.ts'
import { enqueueFor, newWork, runInterval, workFeature } from '../jobs/work-feature.ts'
import { greet, greetingFeature } from '../mail/mail-feature.ts'
import { violationsOf } from '../support/accessibility.ts'
import { agree, assertFaultless, control, inBrowser, openConsole, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'

const fail = () => {
  throw new Error('The number is secret.')
}
const work = newWork()
const quota = {
  name: 'quota',
  tenantSettings: { seats: setting(Type.Integer({ minimum: 1 }), { default: 3, host: true }) },
}
const refusing: MailTransport = {
  send: async () => {
    throw new MailRefused('550 No such user')
  },
}

inBrowser(
  'The pages of the host, of an application',
  (scene) => {
    let tenant: TestTenant
    before(async () => {
      work.run = fail
      tenant = await scene.service.newTenant({ name: 'Harbour Café' })
    })

    const openAsOperator = async (path: string) => {
      const user = { tenantId: 'default', userName: 'admin' }
      const opened = await openConsole(scene.browser, scene.service, '', user)
      await show(opened.page, path)
      return opened
    }

    it('try jobs and mails of all tenants again that failed for good', async () => {
      for (const number of [1, 2]) await enqueueFor(scene.service, tenant.id, number)
      const other = await scene.service.newTenant({ name: 'Mill' })
      await enqueueFor(scene.service, other.id, 3)
      await greet(scene.service, tenant.id, 'ada@secret.example')
      await scene.service.service.queueWorkers.drain()
      const opened = await openAsOperator('')
      const { page } = opened
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (pathname === '/api/tenants') asked.push(decodeURIComponent(search))
      })
      await show(page, '/health')
      await page.getByRole('link', { name: 'Try again: Mill' }).waitFor()
      const link = page.getByRole('link', { name: 'Harbour Café', exact: true })
      assert.ok((await link.getAttribute('href'))?.endsWith(`/tenants/${tenant.id}`))
      assert.equal(asked.length, 1, 'one request for all names of the page')
      assert.ok(asked[0]?.includes(tenant.id) && asked[0]?.includes(other.id))
      await page.getByRole('link', { name: 'Try again: Harbour Café' }).click()
      await page.waitForURL(`**/console/dead-letters?tenantId=${tenant.id}&of=jobs`)
      await page.getByRole('tab', { name: 'Jobs', selected: true }).waitFor()
      const jobs = page.getByRole('row', { name: `Harbour Café ${tenant.id}` })
      await jobs.waitFor()
      await page.getByText('Those of Harbour Café alone.').waitFor()
      assert.match(await jobs.innerText(), /work\.do\s+2\s/)
      assert.deepEqual(await violationsOf(page), [])
      work.run = () => undefined
      await page.getByRole('button', { name: 'Try all again' }).click()
      await agree(page)
      await page.getByText('2 tried again, in 1 tenant.').waitFor()
      await scene.service.service.queueWorkers.drain()
      const { body: succeeded } = await tenant.admin.get('/api/jobs?status=SUCCEEDED')
      assert.equal(succeeded.length, 2)

      await page.getByRole('tab', { name: 'Mails' }).click()
      await page.waitForURL(`**/console/dead-letters?tenantId=${tenant.id}&of=mails`)
      const mails = page.getByRole('row', { name: 'test.greet' })
      assert.doesNotMatch(await mails.innerText(), /secret/)
      await mails.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('1 tried again, in 1 tenant.').waitFor()
      await page.getByRole('tab', { name: 'Deliveries' }).click()
      await page.getByText('Nothing of this kind has failed for good, in any tenant.').waitFor()
      assertFaultless(opened)
    })

    it('draw the figures of the last hours, and say of which instance', async () => {
      await runInterval(scene.service, 'keep figures')
      scene.clock.advance({ minutes: 1 })
      await scene.service.anonymous.get('/health/live')
      await runInterval(scene.service, 'keep figures')
      const opened = await openAsOperator('/figures')
      const { page } = opened
      await page.getByRole('button', { name: '6 hours' }).click()
      const bars = page.getByRole('img', { name: /^[\d,]+ requests, 0 errors$/ })
      await bars.waitFor()
      assert.equal(await bars.locator('g').count(), 72)
      await page.getByRole('img', { name: /^Memory: now [\d.,]+ MB, at most/ }).waitFor()
      await page.getByText(/^Requests and memory of \S+\.$/).waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await page.getByRole('button', { name: '1 hour' }).click()
      await eventually('a bar a minute', soonMs, async () => (await bars.locator('g').count()) === 60)
      assertFaultless(opened)
    })

    it('change the settings of a tenant that the host alone changes', async () => {
      const opened = await openAsOperator(`/tenants/${tenant.id}`)
      const { page } = opened
      const settings = page.getByRole('region', { name: 'Set by the operator' })
      const seats = control(settings, 'Seats')
      assert.equal(await seats.inputValue(), '3')
      await seats.fill('0')
      await settings.getByRole('button', { name: 'Save' }).click()
      await page.locator('[aria-invalid=true]:focus').waitFor()
      await seats.fill('25')
      await settings.getByRole('button', { name: 'Save' }).click()
      await settings.getByText('Saved').waitFor()
      assert.deepEqual(await violationsOf(page), [])
      const { body } = await tenant.admin.get('/api/tenant/settings')
      assert.equal(body.seats, 25)
      assertFaultless(opened, 400)
    })
  },
  {
    options: {
      features: [workFeature(work, { retrySeconds: [] }), greetingFeature, quota],
      mailTransport: refusing,
    },
  },
)
