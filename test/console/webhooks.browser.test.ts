/** The pages of the console about subscriptions in Chromium. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { agree, inBrowser, show } from '../support/console.ts'
import { answering, publish, subscribe } from '../support/webhooks/delivery-scene.ts'
import { useWebhooks } from './webhook-scene.ts'

inBrowser('The pages of subscriptions', (scene) => {
  const { enter, look, receiver: startReceiver } = useWebhooks(scene)

  it('create a subscription, show its secret once, change, pause, test, rotate and delete it', async () => {
    const receiver = await startReceiver()
    const { tenant, page, faults } = await enter('/subscriptions')
    await page.getByText('Nothing is subscribed yet').waitFor()
    await page.getByRole('link', { name: 'New subscription' }).first().click()
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
    await page.getByLabel('Name or pattern').fill('thing.*')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('checkbox', { name: 'order.paid' }).check()
    await page.getByRole('button', { name: 'Create' }).click()
    const shown = await page.getByRole('status').getByRole('code').innerText()
    assert.match(shown, /^whsec_[\w+/=]{40,}$/)
    await page.getByRole('link', { name: 'I have noted it' }).click()
    await page.getByRole('button', { name: 'Send a test event' }).waitFor()
    assert.doesNotMatch(
      await page.locator('main').innerText(),
      new RegExp(shown.slice(0, 20).replaceAll('+', '\\+')),
    )

    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Remove order.paid' }).click()
    await page.getByLabel('Waits between attempts').fill('1, 2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    const [stored] = (await tenant.admin.get('/api/webhooks/subscriptions')).body
    assert.deepEqual([stored.events, stored.retrySeconds, stored.isActive], [['thing.*'], [1, 2], false])
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('Active', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('is on its way').waitFor()
    await look()
    assert.equal(JSON.parse(receiver.requests[0]?.body ?? '{}').type, 'webhook.test')

    await page.getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Overlap in hours').getAttribute('required'), '')
    await dialog.getByLabel('Overlap in hours').fill('48')
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click()
    await dialog.getByText('The former secrets also sign until').waitFor()
    assert.notEqual(await dialog.getByRole('code').innerText(), shown)
    await dialog.getByRole('button', { name: 'I have noted it' }).click()
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await agree(page)
    await page.getByText('Nothing is subscribed yet').waitFor()
    assert.deepEqual(faults, [])
  })

  it('merge what two change of a subscription, and ask for what both have changed', async () => {
    const receiver = await startReceiver()
    const { tenant, page } = await enter('/')
    const id = await subscribe(tenant.admin, receiver)
    const path = `/api/webhooks/subscriptions/${id}`
    const waits = page.getByLabel('Waits between attempts')
    await show(page, `/subscriptions/${id}/edit`)
    await waits.fill('1, 2')
    await tenant.admin.patch(path, { customer: 'acme' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    const stored = async () => {
      const { customer, retrySeconds } = (await tenant.admin.get(path)).body
      return [customer, retrySeconds]
    }
    assert.deepEqual(await stored(), ['acme', [1, 2]])

    await waits.fill('3')
    await tenant.admin.patch(path, { customer: 'other', retrySeconds: [4] })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Waits between attempts in seconds: Yours').check()
    assert.equal(await dialog.locator('tbody tr').count(), 1)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    assert.deepEqual(await stored(), ['other', [3]])
  })

  it('say at the field what the service refuses', async () => {
    const { page, faults } = await enter('/subscriptions/new')
    await page.getByRole('textbox', { name: 'Address' }).fill('')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Address' }).getAttribute('aria-invalid'), 'true')
    assert.match(await page.getByRole('group', { name: 'Events' }).innerText(), /at least 1|fewer|minItems/i)
    assert.equal(faults.length, 1, 'the browser reports the status 400')
  })

  it('picture the last 24 hours', async () => {
    const { tenant, page, faults } = await enter('/')
    const good = await startReceiver()
    const bad = await startReceiver(answering(500))
    await subscribe(tenant.admin, good)
    await subscribe(tenant.admin, bad, { retrySeconds: [] })
    for (let count = 0; count < 3; count++) await publish(tenant.admin)
    await look()
    await show(page, '/subscriptions')
    const pictureOf = (url: string) => page.getByRole('row', { name: url }).getByRole('img')
    await pictureOf(good.url).waitFor()
    assert.equal(await pictureOf(good.url).getAttribute('aria-label'), '3 delivered, 0 failed')
    await pictureOf(bad.url).waitFor()
    assert.equal(await pictureOf(bad.url).getAttribute('aria-label'), '0 delivered, 3 failed')
    assert.equal(await pictureOf(bad.url).locator('g').count(), 24)
    assert.deepEqual(faults, [])
  })
})
