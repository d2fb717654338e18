/** The attributes of users in the console, of an application that declares some. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { boolean, listOf, oneOf, text } from '../../src/index.ts'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { person, type TestTenant, uniqueName } from '../support/service.ts'

const attributes = {
  region: text().describe('The sales region'),
  departments: listOf(text()),
  shift: oneOf('day', 'night'),
  external: boolean(),
}

inBrowser(
  'The page of a user with attributes',
  (scene) => {
    let tenant: TestTenant
    before(async () => {
      tenant = await scene.service.newTenant()
    })
    const openAs = (userName: string, path: string) =>
      openConsole(scene.browser, scene.service, path, { userName, tenantId: tenant.id })

    it('changes them, and takes away what is emptied', async () => {
      const given = { attributes: { region: 'north', shift: 'day' } }
      const { body: made } = await tenant.admin.post('/api/users', person(uniqueName('ada'), given))
      const opened = await openAs('boss', `/users/${made.id}`)
      const { page } = opened
      const region = page.getByLabel('region')
      assert.equal(await region.inputValue(), 'north')
      await region.fill('')
      await page.getByLabel('departments').fill('sales\n\nsupport\n')
      await page.getByLabel('shift').selectOption('night')
      await page.getByLabel('external').selectOption('false')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      const { body } = await tenant.admin.get(`/api/users/${made.id}`)
      const expected = { departments: ['sales', 'support'], external: false, shift: 'night' }
      assert.deepEqual(body.attributes, expected)
      assertFaultless(opened)
    })

    it('shows those of the own user without fields, and roles as those of the application', async () => {
      const { body: boss } = await tenant.admin.get('/api/users/by-username/boss')
      const { body: other } = await tenant.admin.post(
        '/api/users',
        person(uniqueName('bob'), { roles: ['Admin'] }),
      )
      const { client } = await scene.service.signIn(other.userName, tenant.id)
      await client.put(`/api/users/${boss.id}`, { attributes: { region: 'south' } })
      const opened = await openAs('boss', `/users/${boss.id}`)
      const { page } = opened
      await page.getByText('south').waitFor()
      assert.equal(await page.getByLabel('region').count(), 0)
      await page.getByRole('link', { name: 'Roles' }).first().click()
      await page.getByText('of the application').waitFor()
      assertFaultless(opened)
    })
  },
  { options: { attributes, roles: { Agent: ['product:read'] } } },
)
