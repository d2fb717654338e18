/** Rows whose fields not every user reads or writes: no column, no value and no input that ends in a refusal. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { Type } from 'typebox'
import { setting } from '../../src/index.ts'
import { allOfThem, ruledFeatures, ticketPath, userWith } from '../entity/ruled-fields.ts'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import type { TestTenant } from '../support/service.ts'

const quota = {
  name: 'quota',
  tenantSettings: { seats: setting(Type.Integer({ minimum: 1 }), { default: 3, host: true }) },
}

inBrowser(
  'Fields with rules',
  (scene) => {
    let tenant: TestTenant
    let id: string
    const users: Record<string, string> = {}
    before(async () => {
      tenant = await scene.service.newTenant()
      const usual = ['ticket:read', 'ticket:write', 'client:read']
      users['insider'] = await userWith(tenant, [...usual, ...allOfThem])
      users['outsider'] = await userWith(tenant, usual)
      const { body: acme } = await tenant.admin.post('/api/clients', { name: 'acme' })
      const made = await tenant.admin.post(ticketPath, { title: 'first', note: 'walnut', clientId: acme.id })
      id = made.body.id
    })

    const open = (user: string, path: string) =>
      openConsole(scene.browser, scene.service, path, { tenantId: tenant.id, userName: users[user] ?? '' })

    for (const [user, sees] of [
      ['insider', true],
      ['outsider', false],
    ] as const)
      it(`are there for the ${user} as far as the rules say`, async () => {
        const opened = await open(user, `/entities/ticket/${id}`)
        const { page } = opened
        await page.getByRole('heading', { name: 'first' }).waitFor()
        assert.equal((await page.content()).includes('walnut'), sees)
        await page.getByRole('button', { name: 'Edit' }).click()
        await control(page, 'Title').fill('second')
        assert.equal(await control(page, 'Note').count(), sees ? 1 : 0)
        assert.equal(await control(page, 'Priority').count(), sees ? 1 : 0)
        // No caller writes one, and a row keeps the other.
        for (const label of ['Cost', 'Client']) assert.equal(await control(page, label).count(), 0, label)
        await control(page, 'Title').fill(`first of the ${user}`)
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Saved.').waitFor()
        const { body } = await tenant.admin.get(`${ticketPath}/${id}`)
        assert.deepEqual([body.title, body.note], [`first of the ${user}`, 'walnut'])
        assertFaultless(opened)
      })

    it('are settings of the host as well: the tenant sees the value, and has no control that takes another', async () => {
      const path = `/api/tenants/${tenant.id}/settings`
      assert.equal((await scene.service.host.put(path, { seats: 25 })).status, 200)
      const opened = await openConsole(scene.browser, scene.service, '/settings', { tenantId: tenant.id })
      const { page } = opened
      const seats = page.getByRole('group', { name: 'Set by the operator' }).getByLabel('Seats')
      await seats.waitFor()
      assert.deepEqual([await seats.inputValue(), await seats.isDisabled()], ['25', true])
      assert.equal(await page.getByLabel('Brand name').isDisabled(), false)
      assertFaultless(opened)
    })
  },
  { options: { features: [...ruledFeatures, quota] } },
)
