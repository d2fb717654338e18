/** The page of the console that opens the pages of webhooks for a customer. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { violationsOf } from '../support/accessibility.ts'
import { agree, assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import { portalSessions } from '../webhooks/portal/portal.ts'

inBrowser('The page of portal sessions', (scene) => {
  it('opens one, shows its address once with the lines for an iframe, lists it and ends it', async () => {
    const [{ id: tenantId, admin }, foreign] = [
      await scene.service.newTenant(),
      await scene.service.newTenant(),
    ]
    await foreign.admin.post(portalSessions, { origins: ['https://shop.example'], customer: 'of another' })
    const opened = await openConsole(scene.browser, scene.service, '/portal-sessions', { tenantId })
    const { page } = opened
    await page.getByText('No session is open.').waitFor()
    await page.getByRole('link', { name: 'New portal session' }).click()
    await control(page, 'Customer').fill('customer-7')
    await control(page, 'Allowed origins').fill('https://shop.example http://foreign.example')
    await control(page, 'Minutes').fill('20')
    await page.getByRole('checkbox', { name: 'It may also change' }).check()
    await page.getByRole('checkbox', { name: 'order.paid' }).check()
    await page.getByRole('button', { name: 'Open the session' }).click()
    await page.getByText('must be an origin such as').last().waitFor()
    assert.equal(await control(page, 'Allowed origins').getAttribute('aria-invalid'), 'true')
    await control(page, 'Allowed origins').fill('https://shop.example, https://b.example')
    await page.getByRole('button', { name: 'Open the session' }).click()

    const url = await page.getByRole('status').getByRole('code').innerText()
    assert.match(url, /\/console\/embed\/[\w-]{36}#token=tnt_portal_[\w-]{43}$/)
    await page.getByText(`<iframe title="Webhooks" src="${url}" allow="clipboard-write"></iframe>`).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    const usual = page.viewportSize()
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    if (usual !== null) await page.setViewportSize(usual)
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
    const current = () => scene.service.anonymous.withToken(token).get(`${portalSessions}/current`)
    const { customer, events, readOnly, origins, createdAt, expiresAt } = (await current()).body
    assert.deepEqual([customer, events, readOnly], ['customer-7', ['order.paid'], false])
    assert.deepEqual(origins, ['https://shop.example', 'https://b.example'])
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 20 * 60_000)

    await page.getByRole('link', { name: 'I have noted it' }).click()
    const row = page.getByRole('row', { name: 'customer-7' })
    await row.getByText('may change').waitFor()
    assert.ok(!(await page.content()).includes(token))
    await row.getByRole('button', { name: 'End' }).click()
    await agree(page)
    await page.getByText('No session is open.').waitFor()
    assert.equal((await current()).status, 401)
    assert.deepEqual((await admin.get(portalSessions)).body, [])

    await page.getByRole('link', { name: 'New portal session' }).click()
    assert.equal(await page.getByRole('checkbox', { name: 'order.paid' }).count(), 0)
    await control(page, 'Allowed origins').fill('https://shop.example')
    await page.getByRole('button', { name: 'Open the session' }).click()
    await page.getByText('The session is open').waitFor()
    const [usually] = (await admin.get(portalSessions)).body
    assert.deepEqual([usually.customer, usually.readOnly, usually.events], [null, true, null])
    assertFaultless(opened, 400)
  })
})
