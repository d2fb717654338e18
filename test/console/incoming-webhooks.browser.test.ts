/** The pages of the console about incoming webhooks in Chromium. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { schemeNames } from '../../src/webhooks/incoming/signature/scheme.ts'
import { agree, assertFaultless, inBrowser, openConsole, show } from '../support/console.ts'
import { addRule, receipts, received, secret, setProvider } from '../support/webhooks/provider.ts'
import { useWebhooks } from './webhook-scene.ts'

inBrowser('The pages of incoming webhooks', (scene) => {
  const { enter } = useWebhooks(scene)

  it('set up a provider, whose address they show, and change and delete it', async () => {
    const { tenant, page, faults } = await enter('/providers')
    await page.getByRole('button', { name: 'New provider' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Provider').fill('Stripe')
    await dialog.getByLabel('Secret').fill(secret)
    assert.deepEqual(await dialog.getByLabel('Scheme').getByRole('option').allInnerTexts(), schemeNames)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('row', { name: 'stripe' })
    await row.getByText(`${scene.service.url}/api/webhooks/receive/stripe?tenant=${tenant.id}`).waitFor()
    await received(scene.service, tenant, { id: 'evt_1', type: 'payment.done' })
    await row.getByRole('button', { name: 'Edit' }).click()
    for (const label of ['Tolerance', 'Overlap'])
      assert.equal(await dialog.getByLabel(label).getAttribute('required'), '', 'nothing would be 0')
    await dialog.getByLabel('Tolerance').fill('60')
    await dialog.getByLabel('Secret').fill('another secret')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('The former one is accepted until').waitFor()
    await row.getByText('60 s').waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    await agree(page)
    await page.getByText('No provider is set up.').waitFor()
    assert.deepEqual(faults, [])
  })

  it('create, pause and delete a rule, and mark an action that does not exist', async () => {
    const { tenant, page, faults } = await enter('/rules')
    await page.getByRole('button', { name: 'New rule' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Provider').fill('stripe')
    await dialog.getByLabel('Type of event').fill('payment.*')
    await dialog.getByLabel('Action').fill('ship.it')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const row = page.getByRole('row', { name: 'ship.it' })
    await row.getByText('No such action').waitFor()
    await row.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Action').fill('log')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const changed = page.getByRole('row', { name: 'payment.*' })
    await changed.getByText('log', { exact: true }).waitFor()
    await changed.getByRole('button', { name: 'Pause' }).click()
    await changed.getByText('Paused', { exact: true }).waitFor() // not Pause and Delete
    const [stored] = (await tenant.admin.get('/api/webhooks/rules')).body
    assert.deepEqual([stored.action, stored.isActive], ['log', false])
    await changed.getByRole('button', { name: 'Delete' }).click()
    await agree(page)
    await page.getByText('There are no rules.').waitFor()
    assert.deepEqual(faults, [])
  })

  it('offer the actions that rules may run, and say a refusal in the words of the service alone', async () => {
    const { id: tenantId, admin, user } = await scene.service.newTenant()
    const permissions = ['incomingWebhook:read', 'incomingWebhook:write']
    await admin.post('/api/roles', { name: 'Hooks', permissions })
    const { id } = (await user.get('/api/auth/me')).body
    await admin.put(`/api/users/${id}`, { roles: ['Hooks'] })
    const opened = await openConsole(scene.browser, scene.service, '/rules', { tenantId, userName: 'worker' })
    const { page } = opened
    await page.getByRole('button', { name: 'New rule' }).click()
    const dialog = page.getByRole('dialog')
    const offered = dialog.locator('datalist').last().locator('option')
    await offered.first().waitFor({ state: 'attached' })
    const values = await offered.evaluateAll((options) => options.map((each) => each.getAttribute('value')))
    assert.deepEqual(values, ['log', 'order.pay', 'publish'])
    await dialog.getByLabel('Provider').fill('stripe')
    await dialog.getByLabel('Type of event').fill('*')
    await dialog.getByLabel('Action').fill('order.pay')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const reason = await dialog.getByRole('alert').locator('p').innerText()
    assert.equal(reason, 'Running the action order.pay requires the permission order:write.')
    assertFaultless(opened, 403)
  })

  it('change of a provider and of a rule only what was changed, so that another change stays', async () => {
    const { tenant, page, faults } = await enter('/')
    const dialog = page.getByRole('dialog')
    await setProvider(tenant.admin)
    await show(page, '/providers')
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Tolerance').fill('60')
    await tenant.admin.put('/api/webhooks/providers/stripe', { scheme: 'github' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('60 s').waitFor()
    const [provider] = (await tenant.admin.get('/api/webhooks/providers')).body
    assert.deepEqual([provider.scheme, provider.toleranceSeconds], ['github', 60])

    await addRule(tenant.admin, 'log', 'payment.*')
    await show(page, '/rules')
    const [{ id }] = (await tenant.admin.get('/api/webhooks/rules')).body
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Action').fill('publish')
    await tenant.admin.patch(`/api/webhooks/rules/${id}`, { eventType: 'refund.*' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'refund.*' }).getByText('publish').waitFor()
    assert.deepEqual(faults, [])
  })

  it('try a rule with a sample and with a receipt, and change nothing', async () => {
    const { tenant, page, faults } = await enter('/')
    await setProvider(tenant.admin)
    await addRule(tenant.admin, 'publish', 'payment.*')
    await received(scene.service, tenant, { id: 'evt_9', type: 'customer.made' })
    await show(page, '/rules')
    await page.getByRole('button', { name: 'Dry run' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Body (JSON)').fill('{"type": "payment.done", "amount": 7}')
    await dialog.getByRole('button', { name: 'Try', exact: true }).click()
    const result = dialog.getByRole('status', { name: 'Result' })
    await result.getByText('The rule matches, and its action would succeed.').waitFor()
    await result.getByText('stripe.payment.done').waitFor()
    await dialog.getByLabel('Body (JSON)').fill('{')
    await dialog.getByRole('button', { name: 'Try', exact: true }).click()
    await dialog.getByText('The body is not JSON.').waitFor()
    await dialog.getByLabel('Try it with').selectOption({ index: 1 })
    await dialog.getByRole('button', { name: 'Try', exact: true }).click()
    await result.getByText('The rule does not match this event.').waitFor()
    assert.equal((await receipts(tenant.admin)).length, 1)
    assert.deepEqual(faults, [])
  })

  it('show what became of a receipt, and replay it', async () => {
    const { tenant, page, faults } = await enter('/')
    await setProvider(tenant.admin)
    await addRule(tenant.admin, 'ship.it')
    await received(scene.service, tenant, { id: 'evt_1', type: 'payment.done' })
    await received(scene.service, tenant, { id: 'evt_2', type: 'customer.made' })
    await show(page, '/receipts?eventType=payment.done')
    await page.getByRole('link', { name: 'payment.done' }).click()
    await page.getByText('A rule names an action that does not exist.').waitFor()
    await page.getByText('Verified by stripe, with the present secret').waitFor()
    const [rule] = (await tenant.admin.get('/api/webhooks/rules')).body
    await tenant.admin.patch(`/api/webhooks/rules/${rule.id}`, { action: 'log' })
    await page.getByRole('button', { name: 'Run failed rules again' }).click()
    await page.getByText('Every action has succeeded.').waitFor()
    assert.deepEqual((await receipts(tenant.admin, '&status=SUCCEEDED')).length, 1)
    assert.deepEqual(faults, [])
  })
})
