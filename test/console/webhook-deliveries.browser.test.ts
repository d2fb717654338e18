/** The pages of the console about deliveries in Chromium, with receivers that answer 200, 500 and never. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'node:test'
import { agree, inBrowser, openFilter, show } from '../support/console.ts'
import { answering, deliveries, publish, subscribe } from '../support/webhooks/delivery-scene.ts'
import { secret } from '../support/webhooks/provider.ts'
import { useWebhooks } from './webhook-scene.ts'

inBrowser('The pages of deliveries', (scene) => {
  const { enter, look, receiver: startReceiver } = useWebhooks(scene)

  it('explain a signature with its values, so that it can be verified', async () => {
    const { tenant, page, faults } = await enter('/')
    await subscribe(tenant.admin, await startReceiver(), { secret })
    await publish(tenant.admin, 'thing.happened', { text: 'it’s "quoted"', price: 1.5 })
    await look()
    const [only] = await deliveries(tenant.admin)
    await show(page, `/deliveries/${only?.id}`)
    const explained = page.getByRole('region', { name: 'How to verify the signature' })
    await explained.waitFor()
    const [signed = '', command, signature] = await explained.locator('pre').allTextContents()
    assert.equal(signature, `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`)
    assert.match(command ?? '', /openssl dgst -sha256 -hmac "\$WEBHOOK_SECRET"$/)
    assert.ok(!(await page.content()).includes(secret))
    assert.deepEqual(faults, [])
  })

  it('show each attempt: the status and the body of an answer, or that none came', async () => {
    const { tenant, page, faults } = await enter('/')
    await subscribe(tenant.admin, await startReceiver(answering(500, {}, 'out of order')), {
      events: ['bad.*'],
      retrySeconds: [3600],
    })
    await subscribe(tenant.admin, await startReceiver(() => undefined), {
      events: ['mute.*'],
      retrySeconds: [],
    })
    await publish(tenant.admin, 'bad.thing')
    await publish(tenant.admin, 'mute.thing')
    await look()
    const [bad, mute] = await deliveries(tenant.admin)
    await show(page, `/deliveries/${bad?.id}`)
    const attempt = page.getByRole('article', { name: 'Attempt 1' })
    await attempt.getByText('HTTP 500').waitFor()
    await attempt.getByText('out of order').waitFor()
    await page.getByText(/Attempt 2 is made at/).waitFor()
    await attempt.getByText('Request headers').click()
    await attempt.getByText('X-Webhook-Signature', { exact: true }).waitFor()
    await show(page, `/deliveries/${mute?.id}`)
    await attempt.getByText('The receiver did not answer in time.').waitFor()
    await page.getByText('Nothing, unless you replay or recover it.').waitFor()
    assert.deepEqual(faults, [])
  })

  it('filter deliveries in the address, replay the chosen ones and one, and recover', async () => {
    const { tenant, page, faults } = await enter('/')
    const receiver = await startReceiver(answering(500))
    const id = await subscribe(tenant.admin, receiver, { retrySeconds: [] })
    for (const type of ['thing.one', 'thing.two', 'thing.two']) await publish(tenant.admin, type)
    await look()
    const named = page.waitForRequest(/\/api\/webhooks\/subscriptions\?/)
    await show(page, '/deliveries')
    // The names are asked for by their ids: a tenant may have more subscriptions than a page of the list.
    assert.equal(new URL((await named).url()).searchParams.get('id[in]'), id)
    const rows = page.getByRole('row')
    await openFilter(page, 'Type of event')
    await page.getByRole('combobox', { name: 'Type of event' }).fill('thing.two')
    await page.keyboard.press('Enter')
    await page.waitForURL(/eventType=thing\.two/)
    await openFilter(page, 'State')
    await page.getByRole('button', { name: 'Dead' }).click()
    await page.waitForURL(/status=DEAD/)
    await page.getByRole('region', { name: 'Deliveries' }).and(page.locator('[aria-busy=false]')).waitFor()
    await rows.nth(3).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 3)
    await page.getByLabel('Choose all rows').check()
    await page.getByRole('button', { name: 'Replay 2 chosen' }).click()
    await agree(page)
    await page.getByText('2 done.').waitFor()
    await rows.nth(1).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('The event is sent again').waitFor()
    await look()
    assert.equal((await deliveries(tenant.admin, '&status=DEAD')).length, 6)

    await show(page, `/subscriptions/${id}`)
    await page.getByRole('main').getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Recover' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Count only' }).click()
    await dialog.getByText('6 deliveries would be sent again.').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.getByText('6 deliveries are sent again.').waitFor()
    await look()
    assert.equal(receiver.requests.length, 12)
    assert.deepEqual(faults, [])
  })
})
