/** The pages of webhooks in an iframe of another origin, in Chromium. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Frame, FrameLocator, Page } from 'playwright-core'
import { violationsOf } from '../support/accessibility.ts'
import { agree, inBrowser } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'
import { answering, publish, subscribe } from '../support/webhooks/delivery-scene.ts'
import { portalSessions } from '../webhooks/portal/portal.ts'
import { useWebhooks } from './webhook-scene.ts'

inBrowser('The embedded pages of webhooks', (scene) => {
  const { receiver, look } = useWebhooks(scene)
  let tenant: TestTenant
  let shop: Server
  let origin: string
  let embedded = ''
  before(async () => {
    tenant = await scene.service.newTenant()
    shop = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<!doctype html><title>Shop</title><iframe title="Webhooks" width="900" height="700" src="${embedded}"></iframe>`,
      )
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    const { port } = shop.address() as AddressInfo // it listens on a port
    origin = `http://127.0.0.1:${port}`
  })
  after(() => shop.close())

  /** @param prepare changes the page before it is opened @returns the shop, and its frame */
  const open = async (members: Record<string, unknown>, prepare?: (page: Page) => Promise<unknown>) => {
    const made = await tenant.admin.post(portalSessions, { origins: [origin], ...members })
    assert.equal(made.status, 201, made.text)
    const url = new URL(made.body.url)
    embedded = `${scene.service.url}${url.pathname}${url.hash}`
    const context = await scene.browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', ({ message }) => faults.push(message))
    await prepare?.(page)
    await page.goto(origin)
    return { id: made.body.id as string, page, frame: page.frameLocator('iframe'), faults } // ids are texts
  }

  const show = (frame: FrameLocator, name: string) =>
    frame.getByRole('navigation').getByRole('link', { name }).click()
  const openFirst = (frame: FrameLocator) => frame.locator('tbody a').first().click()
  const rowsIn = (frame: FrameLocator) => frame.locator('tbody:not(.placeholder) tr')

  it('have the logo of the tenant for the theme of the browser, its name and its colour', async () => {
    const own = await scene.service.newTenant()
    const brand = { brandName: 'Harbour Café', brandColor: '#ffd400' }
    assert.equal((await own.admin.put('/api/tenant/settings', brand)).status, 200)
    for (const [path, colour] of [
      ['', '#0b6e69'],
      ['/dark', '#9ae6b4'],
    ] as const) {
      const logo = Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${colour}"/></svg>`,
      )
      assert.equal((await own.admin.put(`/api/tenant/brand/logo${path}`, logo)).status, 200)
    }
    const others = tenant
    tenant = own
    const { page, frame, faults } = await open({ customer: '7' })
    tenant = others
    const logo = frame.locator('.portal-brand img')
    await frame.getByText('Harbour Café').waitFor()
    const light = await logo.getAttribute('src')
    assert.ok(await logo.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth > 0))
    assert.deepEqual(await violationsOf(innerOf(page)), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await frame.getByText('Harbour Café').waitFor()
    assert.notEqual(await logo.getAttribute('src'), light)
    assert.deepEqual(faults, [])
  })

  it('show a customer the deliveries of its subscriptions, and nothing to change, until the session is over', async () => {
    const failing = await receiver(answering(500))
    await subscribe(tenant.admin, failing, { customer: '7', retrySeconds: [] })
    await subscribe(tenant.admin, await receiver(), { events: ['secret.*'] })
    await publish(tenant.admin, 'thing.happened', { text: 'hello' })
    await publish(tenant.admin, 'secret.happened')
    await look()
    const { id, page, frame, faults } = await open({ customer: '7' })
    await frame.getByRole('heading', { name: 'Subscriptions' }).waitFor()
    await rowsIn(frame).waitFor()
    assert.equal(await frame.getByRole('link', { name: 'New subscription' }).count(), 0)
    await show(frame, 'Deliveries')
    await openFirst(frame)
    await frame.getByRole('article', { name: 'Attempt 1' }).getByText('HTTP 500').waitFor()
    await frame.getByText('"hello"').last().waitFor()
    assert.equal(await frame.getByRole('region', { name: 'How to verify the signature' }).count(), 0)
    assert.equal(await frame.getByRole('button', { name: 'Replay', exact: true }).count(), 0)
    await show(frame, 'Deliveries')
    await rowsIn(frame).getByText(failing.url).waitFor() // of the last request: a later one would end the session first
    assert.equal(await rowsIn(frame).count(), 1)
    assert.equal(await frame.getByText('secret.happened').count(), 0)
    assert.equal(new URL(innerOf(page).url()).hash, '')
    assert.deepEqual(faults, [])

    assert.equal((await tenant.admin.delete(`${portalSessions}/${id}`)).status, 204)
    await show(frame, 'Subscriptions')
    await frame.getByText('This session is over.').waitFor()
  })

  it('say that the session is over also if it has ended before they are opened', async () => {
    const ended = { status: 401, json: { status: 401, detail: 'There is no such portal session.' } }
    const { frame } = await open({ customer: '7' }, (shown) =>
      shown.route('**/portal-sessions/current', (route) => route.fulfill(ended)),
    )
    await frame.getByText('This session is over.').waitFor()
    await eventually(
      'the end of the request',
      soonMs,
      async () => (await frame.getByRole('alert').count()) === 1,
    )
    assert.equal(await frame.getByText('There is no such portal session.').count(), 0)
  })

  it('have the colour of the tenant', async () => {
    const settings = { brandColor: '#0b6e69' }
    assert.equal((await tenant.admin.put('/api/tenant/settings', settings)).status, 200)
    const { page, frame, faults } = await open({ customer: '9' })
    await frame.getByText('Nothing is subscribed yet.').waitFor()
    const accent = () =>
      innerOf(page).evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
    await eventually('the colour', soonMs, async () =>
      String(await accent()).startsWith('light-dark(#0b6e69'),
    )
    assert.deepEqual(faults, [])
  })

  it('let a customer change with a full session', async () => {
    const id = await subscribe(tenant.admin, await receiver(), { customer: '8' })
    const { page, frame, faults } = await open({ customer: '8', readOnly: false })
    await rowsIn(frame).waitFor()
    assert.deepEqual(await violationsOf(innerOf(page)), [])
    await openFirst(frame)
    const more = frame.getByText('More', { exact: true })
    await more.click()
    await frame.getByRole('button', { name: 'Rotate the secret' }).click()
    await frame.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
    await frame.getByText('Copy the secret now').waitFor()
    await frame.getByRole('button', { name: 'I have noted it' }).click()
    await more.click()
    await frame.getByRole('button', { name: 'Delete' }).click()
    await agree(frame)
    await frame.getByText('Nothing is subscribed yet.').waitFor()
    assert.equal((await tenant.admin.get(`/api/webhooks/subscriptions/${id}`)).status, 404)
    await show(frame, 'Deliveries')
    await frame.getByText('Nothing was sent yet.').waitFor()
    assert.deepEqual(faults, [])
  })

  it('are not shown in a page of an origin that the session does not allow', async () => {
    const { page, frame, faults } = await open({ customer: '7', origins: ['https://shop.example'] })
    await page.waitForLoadState('load')
    assert.match(faults.join(), /frame-ancestors/)
    assert.equal(await frame.locator('#console').count(), 0)
  })
})

function innerOf(page: Page): Frame {
  const inner = page.frames().find((each) => each !== page.mainFrame())
  assert.ok(inner)
  return inner
}
