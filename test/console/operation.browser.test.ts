/** The pages of the tenant and of its operation in Chromium. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { violationsOf } from '../support/accessibility.ts'
import { agree, assertFaultless, control, inBrowser, openConsole, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { password, type TestTenant, uniqueName } from '../support/service.ts'
import { Applicant } from '../tenancy/sign-up/applicant.ts'

inBrowser('The console of an operator', (scene) => {
  let tenant: TestTenant
  before(async () => {
    tenant = await scene.service.newTenant()
  })

  const openAs = (userName: string, tenantId: string, path: string) =>
    openConsole(scene.browser, scene.service, path, { userName, tenantId })

  it('creates a tenant with an administrator, and suspends it only when its id is typed', async () => {
    const { service } = scene
    const opened = await openAs('admin', 'default', '/tenants/new')
    const { page } = opened
    const id = uniqueName('acme')
    await page.getByLabel('Id', { exact: false }).first().fill(id)
    await page.getByLabel('Name').first().fill('Acme')
    await page.getByLabel('Given name').fill('Wile')
    await page.getByLabel('Family name').fill('Coyote')
    await page.getByLabel('User name').fill('wile')
    await page.getByLabel('Email').fill('wile@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('ready').waitFor()
    await service.signIn('wile', id)
    await page.getByRole('button', { name: 'Suspend' }).click()
    const suspend = page.getByRole('dialog').getByRole('button', { name: 'Suspend' })
    await page.getByLabel('to confirm').fill('acme')
    assert.equal(await suspend.isDisabled(), true)
    await page.getByLabel('to confirm').fill(id)
    await suspend.click()
    await page.getByText('suspended', { exact: true }).waitFor()
    assert.equal((await service.host.get(`/api/tenants/${id}`)).body.isActive, false)
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('active', { exact: true }).waitFor()
    assertFaultless(opened)
  })

  it('changes of a tenant only what was changed, so that another change stays', async () => {
    const { id } = await scene.service.newTenant()
    const opened = await openAs('admin', 'default', `/tenants/${id}`)
    const { page } = opened
    await control(page, 'Plan').fill('gold')
    await scene.service.host.put(`/api/tenants/${id}`, { name: 'Renamed' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await scene.service.host.get(`/api/tenants/${id}`)
    assert.deepEqual([body.name, body.plan], ['Renamed', 'gold'])
    assertFaultless(opened)
  })

  it('approves and rejects sign-ups that wait', async () => {
    const { service, mails } = scene
    const waiting = async (): Promise<Applicant> => {
      const applicant = new Applicant(service, mails)
      await applicant.verify(await applicant.signUp({ subdomain: uniqueName('org') }))
      return applicant
    }
    const [welcome, unknown] = [await waiting(), await waiting()]
    const opened = await openAs('admin', 'default', '/sign-ups')
    const { page } = opened
    const rowOf = ({ email }: Applicant) => page.getByRole('row').filter({ hasText: email })
    await rowOf(welcome).getByRole('button', { name: 'Approve' }).click()
    await agree(page)
    await page.getByText(`The ${welcome.name} is approved.`).waitFor()
    await rowOf(welcome).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Open the tenant' }).click()
    await page.getByRole('heading', { name: `The ${welcome.name}` }).waitFor()
    const tenantId = new URL(page.url()).pathname.split('/').at(-1)
    await service.signIn('ada', tenantId)

    await page.getByRole('link', { name: 'Sign-ups' }).click()
    await rowOf(unknown).getByRole('button', { name: 'Reject' }).click()
    assert.deepEqual(await violationsOf(page), [])
    await control(page, 'Reason').fill('We know no such organisation.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText(`The ${unknown.name} is rejected.`).waitFor()
    await page.getByText('No sign-up waits for approval.').waitFor()
    assert.match((await unknown.mail('account.signUpRejected')).text, /We know no such organisation\./)
    assert.deepEqual((await service.host.get('/api/sign-ups')).body, [])
    assertFaultless(opened)
  })

  it('changes settings by a form that follows their schema, shows the brand before it is saved, and invites somebody', async () => {
    const opened = await openAs('boss', tenant.id, '/settings')
    const { page } = opened
    await page.getByLabel('Brand name').fill('Acme Shop')
    await page.getByLabel('Brand color').fill('#11703b')
    for (const name of ['Light pages', 'Dark pages'])
      await page.getByRole('region', { name }).getByText('Acme Shop').waitFor()
    const color = "getComputedStyle(document.querySelector('.brand-button')).backgroundColor"
    await eventually('the color', soonMs, async () => (await page.evaluate(color)) === 'rgb(17, 112, 59)')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const stored = async () => {
      const { brandName, brandColor } = (await tenant.admin.get('/api/tenant/settings')).body
      return [brandName, brandColor]
    }
    assert.deepEqual(await stored(), ['Acme Shop', '#11703b'])
    await tenant.admin.put('/api/tenant/settings', { brandName: 'Other' })
    await page.getByLabel('Brand color').fill('#000000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.deepEqual(await stored(), ['Other', '#000000'])
    assert.equal(await page.getByLabel('Brand name').inputValue(), 'Other')

    await tenant.admin.put('/api/tenant/settings', { brandName: 'Theirs', brandColor: '#11703b' })
    await page.getByLabel('Brand name').fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody has changed the settings' })
    await dialog.getByRole('row', { name: /^Brand name .*Mine .*Theirs$/ }).waitFor()
    assert.equal(await dialog.locator('tbody tr').count(), 1)
    assert.deepEqual(await stored(), ['Theirs', '#11703b'])
    await dialog.getByLabel('Brand name: Yours').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.deepEqual(await stored(), ['Mine', '#11703b'])

    await show(page, '/invitations')
    const email = `${uniqueName('guest')}@example.com`
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('cell', { name: email }).waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await agree(page)
    await page.getByText('Nobody is invited at present.').waitFor()
    assert.deepEqual((await tenant.admin.get('/api/invitations')).body, [])
    assertFaultless(opened, 412)
  })

  it('hides the pages for which a user has no permission, also from an address that is typed', async () => {
    const opened = await openAs('worker', tenant.id, '/users')
    await opened.page.getByText('There is nothing at this address.').waitFor()
    await show(opened.page, '/account')
    await opened.page.getByRole('heading', { name: 'Passkeys' }).waitFor()
    const links = await opened.page.getByRole('navigation').getByRole('link').allInnerTexts()
    assert.ok(links.includes('Your account'))
    for (const hidden of ['Users', 'Roles', 'API keys', 'Portal sessions', 'Tenants', 'Audit'])
      assert.ok(!links.includes(hidden), hidden)
    await show(opened.page, '/portal-sessions')
    await opened.page.getByText('There is nothing at this address.').waitFor()
    assertFaultless(opened)
  })
})
