/** The page on which an administrator sets the identity provider of a tenant, in Chromium. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { recordAudit } from '../../src/core/audit/audit.ts'
import { inCatalogue } from '../../src/core/transaction.ts'
import { agree, assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from '../support/identity-provider.ts'
import { password, person } from '../support/service.ts'

inBrowser(
  'Single sign-on in the console',
  (scene) => {
    let provider: IdentityProvider
    before(async () => {
      provider = await startIdentityProvider(scene.service.config.baseUrl)
    })
    after(() => provider.close())

    const open = (tenantId: string, userName = 'boss') =>
      openConsole(scene.browser, scene.service, '/single-sign-on', { userName, tenantId })

    it('sets the provider after a fault at its field, changes it without its secret, and removes it', async () => {
      const { id } = await scene.service.newTenant()
      const opened = await open(id)
      const { page } = opened
      await page.getByText('Users sign in with their passwords.').waitFor()
      const redirectUri = `${scene.service.config.baseUrl}/api/auth/sso/callback`
      await page.getByRole('definition').getByText(redirectUri, { exact: true }).waitFor()
      await control(page, 'Issuer').fill('http://127.0.0.1:1')
      await control(page, 'Client id').fill(clientId)
      await control(page, 'Client secret').fill(clientSecret)
      await save(page)
      await page.locator('.fault').getByText('does not work').waitFor()
      assert.equal(await control(page, 'Issuer').getAttribute('aria-invalid'), 'true')
      assert.equal(await control(page, 'Client id').getAttribute('aria-invalid'), null)

      await control(page, 'Issuer').fill(provider.issuer)
      await page.getByRole('button', { name: 'Add a group' }).click()
      await control(page, 'Group').fill('Accounting')
      await page.getByRole('group', { name: 'Roles of Accounting' }).getByLabel('User').check()
      await page.getByLabel('Users may sign in only at the provider').check()
      await control(page, 'Break-glass user').selectOption('boss')
      scene.clock.advance({ minutes: 11 })
      await save(page)
      await page.getByLabel('Your password').fill(password)
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('Saved.').waitFor()

      const { client: admin } = await scene.service.signIn('boss', id)
      const { body: stored } = await admin.get('/api/tenant/sso')
      const { body: boss } = await admin.get('/api/auth/me')
      assert.deepEqual(
        [stored.issuer, stored.clientId, stored.isRequired, stored.breakGlassUserId],
        [provider.issuer, clientId, true, boss.id],
      )
      assert.deepEqual([stored.groupRoles, stored.sessionHours], [{ Accounting: ['User'] }, 12])
      for (const address of [stored.redirectUri, stored.signOutRedirectUri, stored.logoutUri])
        await page.getByRole('definition').getByText(address, { exact: true }).waitFor()

      assert.equal(await control(page, 'Client secret').inputValue(), '')
      await control(page, 'Hours of a session').fill('8')
      await control(page, 'Client authentication').selectOption('client_secret_post')
      await control(page, 'Prompt').selectOption('login')
      await control(page, 'Domain hint').fill('acme.example')
      await page.getByRole('button', { name: 'Remove the group' }).click()
      await Promise.all([page.waitForResponse(/\/api\/tenant\/sso$/), save(page)])
      const { body: changed } = await admin.get('/api/tenant/sso')
      assert.deepEqual(changed, {
        ...stored,
        groupRoles: {},
        sessionHours: 8,
        clientAuthentication: 'client_secret_post',
        prompt: 'login',
        domainHint: 'acme.example',
      })

      await page.getByRole('button', { name: 'Remove single sign-on' }).click()
      await agree(page)
      await page.getByText('Users sign in with their passwords.').waitFor()
      assert.equal((await admin.get('/api/tenant/sso')).status, 404)
      assertFaultless(opened, 400, 403, 404)
    })

    it('adds a domain, verifies it by its record, and removes it, and asks before what was typed is lost', async () => {
      const { id, admin } = await scene.service.newTenant()
      const domain = `${id}.example`
      const opened = await open(id)
      const { page } = opened
      await page.getByText('There are no domains yet.').waitFor()
      await control(page, 'Issuer').fill(provider.issuer)
      await control(page, 'Domain').fill('no domain')
      await page.getByRole('button', { name: 'Add the domain' }).click()
      await page.locator('.fault').getByText('must be a domain like acme.example').waitFor()
      await control(page, 'Domain').fill(domain)
      await page.getByRole('button', { name: 'Add the domain' }).click()
      await page.getByRole('cell', { name: domain, exact: true }).waitFor()
      assert.equal(await control(page, 'Domain').inputValue(), '')
      assert.equal(await control(page, 'Issuer').inputValue(), provider.issuer)
      const [name = '', value = ''] = await page.locator('td code').allInnerTexts()
      assert.equal(name, `_tenantry.${domain}`)

      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByRole('alert').getByText('There is no TXT record').waitFor()
      scene.records.set(name, [value])
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByRole('cell', { name: 'verified', exact: true }).waitFor()
      assert.equal((await admin.get('/api/tenant/sso/domains')).body[0].isVerified, true)

      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await agree(page)
      await page.getByText('There are no domains yet.').waitFor()
      assert.deepEqual((await admin.get('/api/tenant/sso/domains')).body, [])

      await control(page, 'Domain').fill('other.example')
      await page.getByRole('link', { name: 'Roles' }).click()
      assert.equal(await agree(page), 'What you have typed is not saved. Leave nevertheless?')
      await page.getByRole('heading', { name: 'Roles' }).waitFor()
      assertFaultless(opened, 400, 404)
    })

    it('offers administrators of its own tenant as the break-glass user, also on the host', async () => {
      await scene.service.newTenant()
      const opened = await open('default', 'admin')
      const { page } = opened
      const choice = control(page, 'Break-glass user')
      await choice.locator('option', { hasText: 'admin' }).waitFor({ state: 'attached' })
      const offered = await choice.locator('option').allInnerTexts()
      const { body: users } = await scene.service.host.get('/api/users?tenantId=default')
      const names = users
        .filter(
          (each: { roles: string[]; isActive: boolean }) => each.isActive && each.roles.includes('Admin'),
        )
        .map(({ userName }: { userName: string }) => userName)
      assert.deepEqual(offered, ['Nobody', ...names])
      assertFaultless(opened, 404)
    })

    it('offers administrators from every page of the users', async () => {
      const { id } = await scene.service.newTenant()
      const opened = await open(id)
      const { page } = opened
      const users = /\/api\/users\?/
      await page.route(users, (route) =>
        route.request().url().includes('cursor=')
          ? route.fulfill({ json: [{ id: 'late', userName: 'zoe', isActive: true, roles: ['Admin'] }] })
          : route.fulfill({ json: [], headers: { link: '</api/users?cursor=next>; rel="next"' } }),
      )
      await page.reload()
      const choice = control(page, 'Break-glass user')
      await choice.locator('option', { hasText: 'zoe' }).waitFor({ state: 'attached' })
      await page.unroute(users)
      assertFaultless(opened, 404)
    })

    it('merges what two change in different fields, and asks for a field that both have changed', async () => {
      const { id, admin } = await scene.service.newTenant()
      const stored = { issuer: provider.issuer, clientId, clientSecret }
      const change = (members: Record<string, unknown>) =>
        admin.put('/api/tenant/sso', { ...stored, ...members })
      assert.equal((await change({})).status, 200)
      const opened = await open(id)
      const { page } = opened
      await control(page, 'Hours of a session').fill('8')
      assert.equal((await change({ groupsClaim: 'teams' })).status, 200)
      await save(page)
      await page.getByText('Saved.').waitFor()
      const hoursAndClaim = async () => {
        const { sessionHours, groupsClaim } = (await admin.get('/api/tenant/sso')).body
        return [sessionHours, groupsClaim]
      }
      assert.deepEqual(await hoursAndClaim(), [8, 'teams'])

      await control(page, 'Hours of a session').fill('9')
      assert.equal((await change({ groupsClaim: 'groups', sessionHours: 10 })).status, 200)
      await save(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('row', { name: /^Hours of a session .*9 .*10$/ }).waitFor()
      assert.equal(await dialog.locator('tbody tr').count(), 1)
      await dialog.getByLabel('Hours of a session: Stored').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      assert.deepEqual(await hoursAndClaim(), [10, 'groups'])
      assertFaultless(opened, 412)
    })

    it('makes a key for the provider in place of a secret, and signs with the next one', async () => {
      const { id, admin } = await scene.service.newTenant()
      const opened = await open(id)
      const { page } = opened
      await control(page, 'Issuer').fill(provider.issuer)
      await control(page, 'Client id').fill(clientId)
      await control(page, 'Client authentication').selectOption('private_key_jwt')
      assert.equal(await page.getByLabel('Client secret').count(), 0)
      await control(page, 'Audience of the assertion').selectOption('token_endpoint')
      await save(page)
      await page.getByRole('cell', { name: 'signs', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Make the next key' }).click()
      await page.getByRole('cell', { name: 'waits', exact: true }).waitFor()
      const [first, next] = (await admin.get('/api/tenant/sso/client-keys')).body
      await page.getByRole('cell', { name: first.id }).waitFor()
      await page.getByRole('button', { name: 'Sign with it' }).click()
      await agree(page)
      await page.getByRole('cell', { name: 'waits', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: next.id }).waitFor()
      assert.equal(await page.getByRole('cell', { name: first.id }).count(), 0)
      assert.equal((await admin.get('/api/tenant/sso')).body.assertionAudience, 'token_endpoint')
      assertFaultless(opened, 404)
    })

    it('shows the latest problems of sign-ins with their reasons', async () => {
      const { id, admin } = await scene.service.newTenant()
      const input = { issuer: provider.issuer, clientId, clientSecret }
      assert.equal((await admin.put('/api/tenant/sso', input)).status, 200)
      const { page } = await open(id)
      await page.getByText('There are none.').waitFor()
      const start = new URLSearchParams({ returnTo: '/account/sso', codeChallenge: 'x'.repeat(43) })
      const { headers } = await scene.service.anonymous.get(`/api/auth/sso/${id}/start?${start}`)
      const state = new URL(headers.get('location') ?? '').searchParams.get('state') ?? ''
      const refusal = { error: 'access_denied', error_description: 'not assigned to the application' }
      const query = new URLSearchParams({ state, ...refusal })
      assert.equal((await scene.service.anonymous.get(`/api/auth/sso/callback?${query}`)).status, 303)
      await page.reload()
      const row = page
        .getByRole('row')
        .filter({ hasText: 'access_denied: “not assigned to the application”' })
      await row.waitFor()
      assert.equal(await row.count(), 1)

      const operator = await scene.service.service.operator()
      const reason = 'The groups take the role Admin from the last active administrator of the tenant.'
      const entry = { action: 'sso.rolesKept', tenantId: id, subjectType: 'user', subjectId: null } as const
      await inCatalogue(operator, (inside) => recordAudit(inside, { ...entry, detail: { reason } }))
      await page.reload()
      await page.getByRole('row').filter({ hasText: reason }).waitFor()
    })

    it('lets a user who may only see it change nothing', async () => {
      const { id, admin } = await scene.service.newTenant()
      const secret = { issuer: provider.issuer, clientId, clientSecret }
      assert.equal((await admin.put('/api/tenant/sso', secret)).status, 200)
      await admin.post('/api/roles', { name: 'Observer', permissions: ['sso:read'] })
      await admin.post('/api/users', person('observer', { roles: ['Observer'] }))
      const { page } = await open(id, 'observer')
      await page.getByText('To register at the provider').waitFor()
      assert.equal(await control(page, 'Issuer').isDisabled(), true)
      assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
      assert.equal(await page.getByRole('button', { name: /^(Add the domain|Remove single)/ }).count(), 0)
    })
  },
  { isAhead: true },
)

function save(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Save' }).click()
}
