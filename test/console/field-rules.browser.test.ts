/** Rows whose fields not every user reads or writes: no column, no value and no input that ends in a refusal. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { Type } from 'typebox'
import { entity, setting, text, user as userField } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { allOfThem, ruledFeatures, ticketPath, userWith } from '../entity/ruled-fields.ts'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import type { TestTenant } from '../support/service.ts'

const quota = {
  name: 'quota',
  tenantSettings: { seats: setting(Type.Integer({ minimum: 1 }), { default: 3, host: true }) },
}

/** Whoever reads all of them changes his own. */
const errand = entity('errand', {
  fields: { name: text(), owner: userField().optional(), note: text().optional() },
  actions: { finish: { to: { note: 'finished' } }, hand: { to: { note: 'handed on' } } },
  access: {
    rows: {
      read: ({ actor }) => actor.may('errand:read'),
      create: ({ actor }) => actor.may('errand:write'),
      update: ({ row, actor }) => row.owner.is(actor.id),
      delete: ({ actor }) => actor.may('errand:remove'),
      finish: ({ actor }) => actor.may('errand:read'),
      keep: ({ actor }) => actor.may('errand:read'),
    },
  },
})

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

    it('are offered with what the rules of rows allow, and with nothing that would be refused', async () => {
      const userName = await userWith(tenant, ['errand:read', 'errand:write'])
      const { client } = await scene.service.signIn(userName, tenant.id)
      const { id: ownerId } = (await client.get('/api/auth/me')).body
      const made = async (body: object) => (await tenant.admin.post('/api/errands', body)).body.id
      const ids = { own: await made({ name: 'own', ownerId }), other: await made({ name: 'other' }) }
      const rightsTo = async (row: string) => (await client.get(`/api/errands/${row}/rights`)).body
      assert.deepEqual(await rightsTo(ids.own), { change: true, delete: false, actions: ['finish', 'hand'] })
      assert.deepEqual(await rightsTo(ids.other), { change: false, delete: false, actions: ['finish'] })
      for (const [name, buttons] of [
        ['own', ['Edit', 'Finish', 'Hand']],
        ['other', ['Finish']],
      ] as const) {
        const path = `/entities/errand/${ids[name]}`
        const opened = await openConsole(scene.browser, scene.service, path, {
          tenantId: tenant.id,
          userName,
        })
        await opened.page.getByRole('heading', { name }).waitFor()
        await opened.page.locator('summary').filter({ hasText: 'More actions' }).click()
        for (const label of ['Edit', 'Finish', 'Hand', 'Delete']) {
          const count = await opened.page.getByRole('button', { name: label, exact: true }).count()
          assert.equal(count, (buttons as readonly string[]).includes(label) ? 1 : 0, `${name}: ${label}`)
        }
        assertFaultless(opened)
      }
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
  { options: { features: [...ruledFeatures, ...migrated([errand]), quota] } },
)
