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

    it('gives them to an API key and to an invitation, and lets a key act for a user', async () => {
      const userName = uniqueName('ada')
      const { body: ada } = await tenant.admin.post('/api/users', person(userName))
      const opened = await openAs('boss', '/api-keys')
      const { page } = opened
      const newKey = async (name: string) => {
        await page.getByRole('button', { name: 'New API key' }).click()
        await page.getByLabel('Name').fill(name)
        await page.getByLabel('product:read').check()
      }
      await newKey('by attributes')
      await page.getByLabel('region').fill('north')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('region: north').waitFor()
      await newKey('as Ada')
      await page.getByLabel('Acts for').fill(userName)
      await page.getByLabel('Acts for').blur()
      await page.getByLabel('region').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('link', { name: userName }).waitFor()
      const { body: keys } = await tenant.admin.get('/api/api-keys')
      const made = keys.map((key: Record<string, unknown>) => [
        key['name'],
        key['actsFor'],
        key['attributes'],
      ])
      assert.deepEqual(made.toSorted(), [
        ['as Ada', ada.id, {}],
        ['by attributes', null, { region: 'north' }],
      ])
      await page.getByRole('link', { name: 'Invitations' }).first().click()
      await page.getByRole('button', { name: 'Invite' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Email').fill('eve@example.com')
      await dialog.getByLabel('shift').selectOption('night')
      await dialog.getByRole('button', { name: 'Invite' }).click()
      await page.getByText('shift: night').waitFor()
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
