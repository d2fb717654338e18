/** The pages of people and access, and of the audit, in Chromium. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import { TestClock } from '../support/clock.ts'
import {
  atAnyCost,
  password,
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../support/service.ts'
import { closePages, openConsoleAs } from './administrator.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('The console of an administrator', { skip: chromiumPath === null && noBrowser }, () => {
  const clock = new TestClock()
  let service: TestService
  let browser: Browser
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {}, { ...atAnyCost, clock: clock.now })
    browser = await startBrowser(chromiumPath ?? '')
    tenant = await service.newTenant()
  })
  afterEach(() => closePages(browser))
  after(async () => {
    await browser.close()
    await service.stop()
  })

  const openAs = (name: string, of: string, path: string) =>
    openConsoleAs(service, browser, { name, tenant: of }, path)
  const openAsBoss = (path: string) => openAs('boss', tenant.id, path)

  it('creates a user after a refused password, finds it by its name, and deactivates it', async () => {
    const { page, faults } = await openAsBoss('/users/new')
    const userName = uniqueName('bob')
    await page.getByLabel('Given name').fill('Bob')
    await page.getByLabel('Family name').fill('Cratchit')
    await page.getByLabel('User name').fill(userName)
    await page.getByLabel('Email').fill(`${userName}@example.com`)
    await page.getByLabel('Password').fill('all lower case')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.fault').getByText('must have an upper-case letter').waitFor()
    assert.equal(faults.splice(0).length, 1, 'the browser reports the status 400')
    await page.getByLabel('Password').fill('Secret@123')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: userName }).waitFor()
    await page.goto(`${service.url}/console/users`)
    await page.getByRole('searchbox').fill(`cratch ${userName}`)
    await page.getByRole('row').nth(1).getByRole('link', { name: userName }).click()
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('button', { name: 'Activate' }).waitFor()
    const { body } = await tenant.admin.get(`/api/users/by-username/${userName}`)
    assert.deepEqual([body.isActive, body.roles], [false, ['User']])
    assert.deepEqual(faults, [])
  })

  it('gives roles by their names, and ends the sessions of a user', async () => {
    const { body: user } = await tenant.admin.post('/api/users', person(uniqueName('eve')))
    await service.signIn(user.userName, tenant.id)
    const { page, faults } = await openAsBoss(`/users/${user.id}`)
    await page.getByLabel('Admin', { exact: true }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.deepEqual((await tenant.admin.get(`/api/users/${user.id}`)).body.roles.toSorted(), [
      'Admin',
      'User',
    ])
    await service.signIn(user.userName, tenant.id)
    await page.reload()
    await page.getByRole('button', { name: 'End', exact: true }).first().click()
    await page.getByText('The user is signed in nowhere.').waitFor()
    assert.deepEqual((await tenant.admin.get(`/api/users/${user.id}/sessions`)).body, [])
    assert.deepEqual(faults, [])
  })

  it('sends a user a link for a new password', async () => {
    const { body: user } = await tenant.admin.post('/api/users', person(uniqueName('eve')))
    const { page, faults } = await openAsBoss(`/users/${user.id}`)
    await page.getByRole('button', { name: 'Send a link for a new password' }).click()
    await page.getByText(`A mail is on its way to ${user.email}.`).waitFor()
    const { body: mails } = await tenant.admin.get('/api/mails?template=account.resetPassword')
    assert.equal(mails[0].recipient, user.email)
    assert.deepEqual(faults, [])
  })

  it('acts as a user with a banner on every page until it is ended', async () => {
    const { body: worker } = await tenant.user.get('/api/auth/me')
    const { page, faults } = await openAs('admin', 'default', `/users/${worker.id}`)
    await page.getByRole('button', { name: 'Act as this user' }).click()
    await page.getByLabel('Reason').fill('Ticket 4711')
    await page.getByRole('button', { name: 'Begin' }).click()
    const banner = page.getByText(`You act as worker of ${tenant.id}`)
    await banner.waitFor()
    await page.getByRole('link', { name: 'Products' }).first().click()
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    assert.ok(await banner.isVisible())
    assert.equal(await page.getByRole('link', { name: 'Tenants' }).count(), 0)
    await page.getByRole('button', { name: 'Stop acting' }).click()
    await page.getByRole('link', { name: 'Tenants' }).waitFor()
    assert.equal(await banner.count(), 0)
    const { body } = await tenant.admin.get('/api/audit?action=user.impersonationEnded')
    assert.equal(body.length, 1)
    assert.deepEqual(faults, [])
  })

  it('grants permissions in a matrix, and does not overwrite the change of another administrator', async () => {
    const name = 'Accountant'
    await tenant.admin.post('/api/roles', { name, permissions: ['order:read'] })
    const { page, faults } = await openAsBoss('/roles')
    await page.getByLabel('Accountant: audit:read').check()
    await page.getByRole('button', { name: 'Save the changed role' }).click()
    await page.getByRole('button', { name: 'Save the changed role' }).waitFor({ state: 'detached' })
    const permissionsOf = async () =>
      (await tenant.admin.get(`/api/roles/${name}`)).body.permissions.toSorted()
    assert.deepEqual(await permissionsOf(), ['audit:read', 'order:read'])
    await page.reload()
    await page.getByLabel('Accountant: order:write').check()
    await tenant.admin.put(`/api/roles/${name}`, { permissions: ['mail:read'] })
    await page.getByRole('button', { name: 'Save the changed role' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody has changed the role Accountant' })
    await dialog.getByRole('row', { name: 'mail:read No Yes' }).waitFor()
    assert.deepEqual(await permissionsOf(), ['mail:read'])
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('button', { name: 'Save the changed role' }).waitFor({ state: 'detached' })
    assert.deepEqual(await permissionsOf(), ['audit:read', 'order:read', 'order:write'])
    assert.equal(await page.getByLabel('Admin: audit:read').isDisabled(), true)
    assert.equal(faults.length, 1, 'the browser reports the status 412')
  })

  it('offers only those permissions that the administrator has', async () => {
    await tenant.admin.post('/api/roles', { name: 'Registrar', permissions: ['role:read', 'role:write'] })
    await tenant.admin.post('/api/roles', { name: 'Empty', permissions: [] })
    const userName = uniqueName('registrar')
    await tenant.admin.post('/api/users', person(userName, { roles: ['Registrar'] }))
    const { page } = await openAs(userName, tenant.id, '/roles')
    await page.getByLabel('Empty: role:read').check()
    assert.equal(await page.getByLabel('Empty: audit:read').isDisabled(), true)
  })

  it('shows an API key once, after the administrator has proven again who it is', async () => {
    const { page, faults } = await openAsBoss('/api-keys')
    await page.getByRole('button', { name: 'New API key' }).waitFor()
    clock.advance({ minutes: 11 })
    await page.getByRole('button', { name: 'New API key' }).click()
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByLabel('order:read').check()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Confirm' }).click()
    const key = await page.getByRole('status').locator('code').innerText()
    assert.equal((await service.anonymous.withToken(key).get('/api/orders')).status, 200)
    await page.reload()
    await page.getByRole('cell', { name: 'Nightly import' }).waitFor()
    assert.equal(await page.getByText(key).count(), 0)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('There are no API keys.').waitFor()
    assert.ok(
      faults.every((fault) => /status of (403|401)/.test(fault)),
      faults.join(),
    )
  })

  it('compares what was before with what is after in the audit, and saves the records', async () => {
    const owner = await service.newTenant()
    await owner.admin.post('/api/roles', { name: 'Clerk', permissions: ['order:read'] })
    await owner.admin.put('/api/roles/Clerk', { permissions: ['order:read', 'order:write'] })
    const { page, faults } = await openAs('boss', owner.id, '/audit')
    await page.getByLabel('Action').fill('role.updated')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?action=role.updated')
    await page.getByRole('button', { name: 'Show role.updated' }).click()
    const cells = page.getByRole('dialog').getByRole('cell')
    assert.deepEqual(
      (await cells.allInnerTexts()).map((each) => each.split('\n')),
      [['order:read'], ['order:read', 'order:write']],
    )
    assert.equal(await page.locator('mark').innerText(), 'order:write')
    await page.getByRole('button', { name: 'Close' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[0] ?? '', /^id,createdAt,tenantId,action,actorId/)
    assert.match(lines[1] ?? '', /,role\.updated,.*,Clerk,/)
    assert.deepEqual(faults, [])
  })
})
