/** A list of a live entity in the console follows its rows, by the filter of the page and the reach of the user. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { entity, oneOf, reference, text, user } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { person, type TestTenant } from '../support/service.ts'

const errand = entity('errand', {
  live: true,
  fields: { name: text(), state: oneOf('open', 'done').default('open'), runner: user().optional() },
  access: { rows: ({ row, actor }) => row.runner.is(actor.id) },
})

const stop = entity('stop', { fields: { place: text(), errand: reference(errand).optional() } })

inBrowser(
  'A list of an entity that is live',
  (scene) => {
    let tenant: TestTenant
    let worker: string
    before(async () => {
      tenant = await scene.service.newTenant()
      const { body } = await tenant.user.get('/api/auth/me')
      worker = body.id
    })
    const newErrand = async (members: object): Promise<string> => {
      const { status, text: reply, body } = await tenant.admin.post('/api/errands', members)
      assert.equal(status, 201, reply)
      return body.id
    }

    it('shows rows that come, change and go, under its filter and what the user reaches', async () => {
      await tenant.admin.post('/api/users', person('nobody'))
      const path = '/entities/errand?state=open'
      const opened = await openConsole(scene.browser, scene.service, path, {
        userName: 'worker',
        tenantId: tenant.id,
      })
      const { page } = opened
      await page.getByTitle('Shows changes of others as they happen').waitFor()
      await newErrand({ name: 'Somebody else' })
      const id = await newErrand({ name: 'Milk', runnerId: worker })
      const row = page.getByRole('row').filter({ hasText: 'Milk' })
      await row.waitFor()
      assert.equal(await page.getByText('Somebody else').count(), 0)
      await tenant.admin.patch(`/api/errands/${id}`, { name: 'Milk and bread' })
      await page.getByRole('row').filter({ hasText: 'Milk and bread' }).waitFor()
      await tenant.admin.patch(`/api/errands/${id}`, { state: 'done' })
      await page.getByText('Milk and bread').waitFor({ state: 'detached' })
      const other = await newErrand({ name: 'Stamps', runnerId: worker })
      await page.getByText('Stamps').waitFor()
      await tenant.admin.delete(`/api/errands/${other}`)
      await page.getByText('Stamps').waitFor({ state: 'detached' })
      assertFaultless(opened)
    })

    it('says of a referenced row that the user does not reach that it may not be seen', async () => {
      const errandId = await newErrand({ name: 'Present' })
      assert.equal((await tenant.admin.post('/api/stops', { place: 'Bakery', errandId })).status, 201)
      const opened = await openConsole(scene.browser, scene.service, '/entities/stop', {
        userName: 'worker',
        tenantId: tenant.id,
      })
      const row = opened.page.getByRole('row').filter({ hasText: 'Bakery' })
      await row.getByText('errand that you may not see').waitFor()
      assertFaultless(opened)
    })
  },
  { options: { features: migrated([errand, stop]) } },
)
