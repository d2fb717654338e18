/** The pages of webhooks in an iframe of another origin, in Chromium. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import type { Client } from '../support/client.ts'
import { violationsOf } from '../support/console.ts'
import { answering, publish, type Scene, setScene, subscribe } from '../support/webhooks/delivery-scene.ts'
import { portalSessions } from '../webhooks/portal/portal.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('The embedded pages of webhooks', { skip: chromiumPath === null && noBrowser }, () => {
  let scene: Scene
  let browser: Browser
  let shop: Server
  let origin: string
  let embedded = ''
  before(async () => {
    scene = await setScene('sqlite')
    browser = await startBrowser(chromiumPath ?? '')
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
  after(async () => {
    await browser.close()
    shop.close()
    await scene[Symbol.asyncDispose]()
  })

  /** @returns the shop, and its frame */
  const open = async (members: Record<string, unknown>, by: Client = scene.tenant.admin) => {
    const made = await by.post(portalSessions, { origins: [origin], ...members })
    assert.equal(made.status, 201, made.text)
    const url = new URL(made.body.url)
    embedded = `${scene.service.url}${url.pathname}${url.hash}`
    const context = await browser.newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', ({ message }) => faults.push(message))
    await page.goto(origin)
    return { id: made.body.id as string, page, frame: page.frameLocator('iframe'), faults } // ids are texts
  }

  const show = (frame: FrameLocator, name: string) =>
    frame.getByRole('navigation').getByRole('link', { name }).click()
  const openFirst = (frame: FrameLocator) => frame.locator('tbody a').first().click()

  it('show a customer the deliveries of its subscriptions, and nothing to change', async () => {
    await subscribe(scene.tenant.admin, await scene.receiver(answering(500)), {
      customer: '7',
      retrySeconds: [],
    })
    await subscribe(scene.tenant.admin, await scene.receiver(), { events: ['secret.*'] })
    await publish(scene.tenant.admin, 'thing.happened', { text: 'hello' })
    await publish(scene.tenant.admin, 'secret.happened')
    await scene.look()
    const { page, frame, faults } = await open({ customer: '7' })
    await frame.getByRole('heading', { name: 'Subscriptions' }).waitFor()
    await frame.locator('tbody:not(.placeholder) tr').waitFor()
    assert.equal(await frame.getByRole('link', { name: 'New subscription' }).count(), 0)
    await show(frame, 'Deliveries')
    await openFirst(frame)
    await frame.getByRole('article', { name: 'Attempt 1' }).getByText('HTTP 500').waitFor()
    await frame.getByText('"hello"').last().waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Replay', exact: true }).count(), 0)
    await show(frame, 'Deliveries')
    await frame.locator('tbody:not(.placeholder) tr').first().waitFor()
    assert.equal(await frame.locator('tbody:not(.placeholder) tr').count(), 1)
    assert.equal(await frame.getByText('secret.happened').count(), 0)
    const inner = page.frames().find((each) => each !== page.mainFrame())
    assert.ok(inner)
    assert.equal(new URL(inner.url()).hash, '')
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  it('let a customer change with a full session, also where the browser forbids questions', async () => {
    const id = await subscribe(scene.tenant.admin, await scene.receiver(), { customer: '8' })
    const { page, frame, faults } = await open({ customer: '8', readOnly: false })
    await openFirst(frame)
    await frame.getByRole('button', { name: 'Rotate the secret' }).click()
    await frame.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
    await frame.getByText('Copy the secret now').waitFor()
    await frame.getByRole('button', { name: 'I have noted it' }).click()
    await frame.getByRole('button', { name: 'Delete' }).click()
    await frame.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await frame.getByText('Nothing is subscribed yet.').waitFor()
    assert.equal((await scene.tenant.admin.get(`/api/webhooks/subscriptions/${id}`)).status, 404)
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  it('are not shown in a page of an origin that the session does not allow', async () => {
    const { page, frame, faults } = await open({ customer: '7', origins: ['https://shop.example'] })
    await page.waitForFunction('document.readyState === "complete"')
    assert.match(faults.join(), /frame-ancestors/)
    assert.equal(await frame.locator('#console').count(), 0)
    await page.context().close()
  })

  it('show a foreign tenant nothing', async () => {
    const other = await scene.service.newTenant()
    const { page, frame } = await open({}, other.admin)
    await frame.getByText('Nothing is subscribed yet.').waitFor()
    await show(frame, 'Deliveries')
    await frame.getByText('Nothing was sent yet.').waitFor()
    await page.context().close()
  })

  it('say that the session is over', async () => {
    const { id, page, frame } = await open({ customer: '7' })
    await frame.locator('tbody:not(.placeholder) tr').waitFor() // all that it asks for has come
    assert.equal((await scene.tenant.admin.delete(`${portalSessions}/${id}`)).status, 204)
    await show(frame, 'Deliveries')
    await frame.getByText('This session is over.').waitFor()
    await page.context().close()
  })

  it('have no violation of the rules of accessibility', async () => {
    const { page, frame } = await open({ customer: '7', readOnly: false })
    await frame.locator('tbody:not(.placeholder) tr').waitFor()
    const inner = page.frames().find((each) => each !== page.mainFrame())
    assert.deepEqual(await violationsOf(inner as unknown as Page), []) // evaluates as a page does
    await page.context().close()
  })
})
