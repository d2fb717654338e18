/** The pages of people and access, and of the audit, in Chromium. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, it } from 'node:test'
import { violationsOf } from '../support/accessibility.ts'
import { agree, assertFaultless, inBrowser, openConsole, openFilter, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { password, person, type TestTenant, uniqueName } from '../support/service.ts'

inBrowser(
  'The console of an administrator',
  (scene) => {
    let tenant: TestTenant
    before(async () => {
      tenant = await scene.service.newTenant()
    })

    const openAs = (userName: string, tenantId: string, path: string) =>
      openConsole(scene.browser, scene.service, path, { userName, tenantId })
    const openAsBoss = (path: string) => openAs('boss', tenant.id, path)

    it('creates a user after a refused password, finds it by its name, changes its access, and deactivates it', async () => {
      const opened = await openAsBoss('/users/new')
      const { page } = opened
      const userName = uniqueName('bob')
      const email = `${userName}@example.com`
      await page.getByLabel('Given name').fill('Bob')
      await page.getByLabel('Family name').fill('Cratchit')
      await page.getByLabel('User name').fill(userName)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill('all lower case')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.locator('.fault').getByText('must have an upper-case letter').waitFor()
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('heading', { name: userName }).waitFor()
      const { id, roles } = (await tenant.admin.get(`/api/users/by-username/${userName}`)).body
      assert.deepEqual(roles, ['User'])
      await scene.service.signIn(userName, tenant.id)

      await page.getByRole('link', { name: 'Users' }).first().click()
      await page.getByRole('searchbox').fill(`cratch ${userName}`)
      await page.getByRole('row', { name: 'boss' }).waitFor({ state: 'detached' })
      await page.getByRole('row').nth(1).getByRole('link', { name: userName }).click()
      await page.getByRole('button', { name: 'End', exact: true }).first().click()
      await page.getByText('The user is signed in nowhere.').waitFor()
      assert.deepEqual((await tenant.admin.get(`/api/users/${id}/sessions`)).body, [])
      await page.getByRole('button', { name: 'Send a link for a new password' }).click()
      await agree(page)
      await page.getByText(`A mail is on its way to ${email}.`).waitFor()
      const { body: mails } = await tenant.admin.get('/api/mails?template=account.resetPassword')
      assert.equal(mails[0].recipient, email)

      await page.getByLabel('Admin', { exact: true }).check()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.getByRole('button', { name: 'Deactivate' }).click()
      await agree(page)
      await page.getByRole('button', { name: 'Activate', exact: true }).waitFor()
      const { body } = await tenant.admin.get(`/api/users/${id}`)
      assert.deepEqual([body.isActive, body.roles.toSorted()], [false, ['Admin', 'User']])
      assertFaultless(opened, 400)
    })

    it('changes of a user only what was changed, so that another change stays', async () => {
      const userName = uniqueName('tim')
      const { body: created } = await tenant.admin.post('/api/users', person(userName))
      const opened = await openAsBoss(`/users/${created.id}`)
      const { page } = opened
      await page.getByLabel('Telephone').fill('+44 20 7946 0018')
      await tenant.admin.put(`/api/users/${created.id}`, { lastName: 'Cratchit', roles: ['User', 'Admin'] })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      const { body } = await tenant.admin.get(`/api/users/${created.id}`)
      assert.deepEqual([body.phoneNumber, body.lastName], ['+44 20 7946 0018', 'Cratchit'])
      assert.deepEqual(body.roles.toSorted(), ['Admin', 'User'])
      assertFaultless(opened)
    })

    it('shows the host the users of the tenant that is named, or of all tenants with their tenant', async () => {
      const userName = uniqueName('sam')
      await tenant.admin.post('/api/users', person(userName))
      const opened = await openAs('admin', 'default', '/users')
      const { page } = opened
      const choose = async (name: string) => {
        await openFilter(page, 'Tenant')
        await page.getByRole('combobox', { name: 'Tenant' }).fill(name)
        await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
      }
      const tenantHeader = page.getByRole('columnheader', { name: 'Tenant' })
      const shownNames = page.locator('tbody:not(.placeholder) td:first-child')
      await page.getByRole('link', { name: 'admin', exact: true }).waitFor()
      const { body: own } = await scene.service.host.get('/api/users?tenantId=default')
      assert.deepEqual(
        await shownNames.allInnerTexts(),
        own.map((each: { userName: string }) => each.userName),
      )
      assert.equal(await tenantHeader.count(), 0)

      await openFilter(page, 'Tenant')
      await page.getByRole('option', { name: 'All tenants' }).click()
      await tenantHeader.waitFor()
      assert.equal(new URL(page.url()).search, '?tenantId=*')
      await page.getByRole('searchbox').fill(userName)
      await eventually('one user', soonMs, async () => (await shownNames.count()) === 1) // the service searches
      await page.getByRole('row', { name: `${userName} ${tenant.id}` }).waitFor()
      assert.equal(await shownNames.count(), 1)
      await page.reload()
      await page.getByRole('row', { name: `${userName} ${tenant.id}` }).waitFor()
      await page.getByRole('link', { name: 'New user' }).click()
      await page.locator('.badge', { hasText: 'default' }).waitFor()
      await page.goBack()

      await choose(tenant.id)
      await tenantHeader.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: userName }).waitFor()
      await page.getByRole('link', { name: 'New user' }).click()
      await page.locator('.badge', { hasText: tenant.id }).waitFor()

      await show(page, `/users?tenantId=${tenant.id.toUpperCase()}`)
      await page.getByRole('link', { name: userName }).waitFor()
      await page.locator('.filter summary', { hasText: tenant.id.toUpperCase() }).waitFor()
      await page.getByRole('button', { name: 'Remove: Tenant' }).click()
      await page.getByRole('link', { name: 'admin', exact: true }).waitFor()
      assert.equal(new URL(page.url()).search, '')

      await openAsBoss('/users')
      await page.getByRole('link', { name: userName }).waitFor()
      assert.equal(await page.locator('.filter summary').filter({ hasText: 'Tenant' }).count(), 0)
      assertFaultless(opened)
    })

    it('acts as a user with a banner on every page until it is ended', async () => {
      const { body: worker } = await tenant.user.get('/api/auth/me')
      const opened = await openAs('admin', 'default', `/users/${worker.id}`)
      const { page } = opened
      await page.getByRole('button', { name: 'Act as this user' }).click()
      await page.getByLabel('Reason').fill('Ticket 4711')
      await page.getByRole('button', { name: 'Begin' }).click()
      const banner = page.getByText(`You act as worker of ${tenant.id}`)
      await banner.waitFor()
      await page.getByRole('link', { name: 'Products' }).first().click()
      await page.getByRole('heading', { name: 'Products', exact: true }).waitFor()
      assert.ok(await banner.isVisible())
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('navigation', { name: 'Settings' }).waitFor()
      const links = await page.getByRole('navigation').getByRole('link').allInnerTexts()
      assert.ok(links.includes('Your account'))
      for (const hidden of ['Users', 'Roles', 'API keys', 'Tenants', 'Audit', 'Portal sessions'])
        assert.ok(!links.includes(hidden), hidden)
      await page.getByRole('button', { name: 'Stop acting' }).click()
      await page.getByRole('link', { name: 'Operate' }).waitFor()
      assert.equal(await banner.count(), 0)
      const { body } = await tenant.admin.get('/api/audit?action=user.impersonationEnded')
      assert.equal(body.length, 1)
      assertFaultless(opened)
    })

    it('grants permissions in a matrix, together with what another administrator grants meanwhile', async () => {
      const name = 'Accountant'
      await tenant.admin.post('/api/roles', { name, permissions: ['order:read'] })
      const opened = await openAsBoss('/roles')
      const { page } = opened
      const save = page.getByRole('button', { name: 'Save the changed role' })
      await page.getByLabel('Accountant: audit:read').check()
      await save.click()
      await save.waitFor({ state: 'detached' })
      const permissionsOf = async () =>
        (await tenant.admin.get(`/api/roles/${name}`)).body.permissions.toSorted()
      assert.deepEqual(await permissionsOf(), ['audit:read', 'order:read'])
      await page.getByLabel('Accountant: order:write').check()
      await tenant.admin.put(`/api/roles/${name}`, { permissions: ['mail:read'] })
      await save.click()
      await save.waitFor({ state: 'detached' })
      assert.deepEqual(await permissionsOf(), ['mail:read', 'order:write'])
      const granted = page.locator('input[aria-label="Accountant: mail:read"]:checked')
      await granted.waitFor()

      await page.getByLabel('Accountant: order:write').uncheck()
      await tenant.admin.put(`/api/roles/${name}`, { permissions: ['mail:read', 'order:write', 'job:read'] })
      await page.getByRole('button', { name: 'Describe Accountant' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await save.click()
      await save.waitFor({ state: 'detached' })
      assert.deepEqual(await permissionsOf(), ['job:read', 'mail:read'])
      assert.equal(await page.getByLabel('Admin: audit:read').isDisabled(), true)
      assertFaultless(opened, 412)
    })

    it('shows an API key once, after the administrator has proven again who it is', async () => {
      const opened = await openAsBoss('/api-keys')
      const { page } = opened
      scene.clock.advance({ minutes: 11 })
      await page.getByRole('button', { name: 'New API key' }).click()
      await page.getByLabel('Name').fill('Nightly import')
      await page.getByLabel('order:read').check()
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByLabel('Your password').fill(password)
      await page.getByRole('button', { name: 'Confirm' }).click()
      const key = await page.getByRole('status').locator('code').innerText()
      assert.equal((await scene.service.anonymous.withToken(key).get('/api/orders')).status, 200)
      await page.reload()
      await page.getByRole('cell', { name: 'Nightly import' }).waitFor()
      assert.equal(await page.getByText(key).count(), 0)
      await page.getByRole('button', { name: 'Revoke' }).click()
      await agree(page)
      await page.getByText('There are no API keys.').waitFor()
      assertFaultless(opened, 403, 401)
    })

    it('compares what was before with what is after in the audit of the tenant, and saves the records', async () => {
      const { admin } = tenant
      await admin.post('/api/roles', { name: 'Clerk', permissions: ['order:read'] })
      await admin.put('/api/roles/Clerk', { permissions: ['order:read', 'order:write'] })
      const { id } = (await admin.get('/api/audit?action=role.updated&limit=1')).body[0]
      const opened = await openAsBoss('/audit')
      const { page } = opened
      await page.getByRole('cell', { name: 'session.started' }).first().waitFor()
      assert.equal(await page.getByRole('columnheader', { name: 'Tenant' }).count(), 0)
      await openFilter(page, 'Action')
      await page.getByRole('combobox', { name: 'Action' }).fill('role changed')
      await page.getByRole('option', { name: 'role.updated' }).click()
      await page.getByRole('cell', { name: 'session.started' }).first().waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).search, '?action=role.updated')
      await page.getByRole('cell').getByRole('button', { name: 'role.updated' }).first().click()
      const cells = page.getByRole('dialog').getByRole('cell')
      await cells.first().waitFor()
      assert.deepEqual(
        (await cells.allInnerTexts()).map((each) => each.split('\n')),
        [['Details'], ['order:read'], ['order:read', 'order:write']], // the member, before, after
      )
      assert.equal(await page.locator('mark').innerText(), 'order:write')
      await page.getByRole('button', { name: 'Close' }).click()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')
      const { body: recorded } = await admin.get('/api/audit?action=role.updated')
      assert.equal(lines.length, recorded.length + 1)
      assert.match(lines[0] ?? '', /^id,createdAt,tenantId,action,actorId/)
      assert.match(lines.find((line) => line.startsWith(id)) ?? '', /,role\.updated,.*,Clerk,/)
      assertFaultless(opened)
    })

    it('filters the audit by the name of a user with the keyboard alone, page by page', async () => {
      const { id: tenantId, admin, user } = await scene.service.newTenant()
      const { id } = (await user.get('/api/auth/me')).body
      for (let count = 0; count < 51; count++)
        await admin.put(`/api/users/${id}`, { phoneNumber: `${count}` })
      const opened = await openAs('boss', tenantId, '/audit')
      const { page } = opened
      const subject = page.locator('.filter summary').filter({ hasText: 'Subject' })
      await subject.focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type('work')
      await page.getByRole('option', { name: 'worker@example.com' }).waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await page.keyboard.press('ArrowDown') // what was typed is first
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/audit?subjectId=${id}`)
      await subject.filter({ hasText: 'worker' }).waitFor()
      assert.ok(await subject.evaluate((element) => element.matches(':focus')))
      await page.getByText('1–50', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText(/^51–5\d$/).waitFor()
      assert.ok(new URL(page.url()).searchParams.has('cursor'))
      await page.getByRole('button', { name: 'Remove: Subject' }).click()
      await page.getByRole('cell', { name: 'session.started' }).first().waitFor()
      assert.equal(new URL(page.url()).search, '')
      assertFaultless(opened)
    })
  },
  { isAhead: true },
)
