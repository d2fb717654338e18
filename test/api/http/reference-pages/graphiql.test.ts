/** The page `/graphql/ui` in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { chromiumPath, openPage, startBrowser, type WatchedPage } from '../../../support/browser.ts'
import { startService, type TestService } from '../../../support/service.ts'
import { editor, executeQuery, openTab, shows, typeInto, writeOperation } from './graphiql-page.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('GraphiQL', { skip: chromiumPath === null && noBrowser }, () => {
  let service: TestService
  let browser: Browser
  let productId: string
  let headers: string
  before(async () => {
    service = await startService('sqlite')
    browser = await startBrowser(chromiumPath ?? '')
    const { accessToken } = await service.signIn('admin')
    headers = headersWith(accessToken)
    productId = (await service.host.post('/api/products', { name: 'Walnut desk', price: 19.99 })).body.id
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  const open = (url = service.url): Promise<WatchedPage> => openPage(browser, `${url}/graphql/ui`)

  it('runs the query that it shows first, for anybody', async () => {
    const { page, faults } = await open()
    assert.equal(await page.title(), 'Tenantry: GraphiQL')
    await editor(page, 'Query Editor').click()
    await page.keyboard.press('Control+Enter')
    await shows(page, /"name": "Walnut desk",\s+"price": 19.99/)
    assert.deepEqual(faults, [])
  })

  it('sends the headers along', async () => {
    const { page, faults } = await open()
    await writeOperation(page, 'Me', 'query Me { me { userName } }')
    await executeQuery(page)
    await shows(page, /"message": "A valid bearer token is required\."/)
    await typeInto(page, 'Headers', headers)
    await executeQuery(page)
    await shows(page, /"userName": "admin"/)
    assert.deepEqual(faults, [])
  })

  it('shows what a subscription pushes, until it is stopped', async () => {
    const { page, faults } = await open()
    await openTab(page, 'OrderCreated')
    await typeInto(page, 'Headers', headers)
    await executeQuery(page)
    const shown = shows(page, /"id": "[\da-f-]{36}",\s+"total": 59.97/)
    await repeatUntil(shown, async () => {
      const order = { customerId: 'customer-7', items: [{ productId, quantity: 3 }] }
      await service.host.post('/api/orders', order)
    })
    await page.getByRole('button', { name: 'Stop query' }).click()
    await page.getByRole('button', { name: 'Execute query' }).waitFor()
    assert.deepEqual(faults, [])
  })

  it('shows why a subscription is refused', async () => {
    const { page, faults } = await open()
    await openTab(page, 'OrderCreated')
    await executeQuery(page)
    await shows(page, /A valid bearer token is required/)
    assert.deepEqual(faults, [])
  })

  it('shows why a subscription has ended', async () => {
    const { page, faults } = await open()
    await openTab(page, 'OrderCreated')
    const { client, accessToken } = await service.signIn('admin')
    await typeInto(page, 'Headers', headersWith(accessToken))
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
    await executeQuery(page)
    await connected
    await client.post('/api/auth/logout')
    await shows(page, /"The connection was closed: .+ \(4401\)\."/)
    assert.deepEqual(faults, [])
  })

  it('has the documentation of every type', async () => {
    const { page, faults } = await open()
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    const documentation = page.locator('.graphiql-doc-explorer')
    await documentation.getByRole('link', { name: 'Query' }).click()
    await documentation.getByRole('link', { name: 'Product', exact: true }).first().click()
    await documentation.getByText('price: Decimal!').waitFor()
    assert.deepEqual(faults, [])
  })

  it('completes by the schema', async () => {
    const { page, faults } = await open()
    await typeInto(page, 'Query Editor', 'query Some { ')
    const offered = page.locator('.CodeMirror-hints').getByText('products', { exact: true }).waitFor()
    await repeatUntil(offered, () => page.keyboard.press('Control+Space'))
    assert.deepEqual(faults, [])
  })

  it('keeps to its policy in dialogs, menus and the history, too', async () => {
    const { page, faults } = await open()
    await writeOperation(page, 'One', 'query One { __typename }\nquery Two { __typename }\n\n')
    await executeQuery(page)
    await page.getByRole('menuitem', { name: 'Two' }).click()
    await shows(page, /"__typename": "Query"/)
    await page.getByRole('button', { name: 'Show History' }).click()
    await page.locator('.graphiql-history-item').getByText('Two').waitFor()
    for (const dialog of ['Open settings dialog', 'Open short keys dialog']) {
      await page.getByRole('button', { name: dialog }).click()
      await page.getByRole('dialog').waitFor()
      assert.equal(await page.evaluate('getComputedStyle(document.body).overflow'), 'hidden')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    assert.equal(await page.locator('style').count(), 0)
    assert.deepEqual(faults, [])
  })

  it('runs operations without the schema, and says what is missing', async () => {
    const closed = await startService('sqlite', { GRAPHQL_INTROSPECTION: 'false' })
    try {
      const { page, faults } = await open(closed.url)
      const hint = page.getByRole('status')
      await hint.filter({ hasText: /does not show its schema: “.+” .*GRAPHQL_INTROSPECTION/ }).waitFor()
      await executeQuery(page)
      await shows(page, /"data": \{\s+"products": \[\]/)
      assert.deepEqual(faults, [])
    } finally {
      await closed.stop()
    }
  })
})

function headersWith(accessToken: string): string {
  return JSON.stringify({ Authorization: `Bearer ${accessToken}`, 'X-Tenant-Id': 'default' })
}

/** For what nobody tells: that a subscription hears, that the schema is there. */
async function repeatUntil(event: Promise<void>, action: () => Promise<void>): Promise<void> {
  let happened = false
  const watched = event.finally(() => {
    happened = true
  })
  while (!happened) {
    await action()
    await Promise.race([watched, delay(100)])
  }
  await watched
}
