/** The page `/graphql/ui` in a browser. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openPage, type WatchedPage } from '../../../support/browser.ts'
import { inBrowser } from '../../../support/console.ts'
import { startService } from '../../../support/service.ts'
import { editor, executeQuery, openTab, shows, typeInto, writeOperation } from './graphiql-page.ts'
import { keepsNothing, said, submitForm } from './sign-in-form.ts'

inBrowser('GraphiQL', (scene) => {
  let productId: string
  before(async () => {
    const product = { name: 'Walnut desk', price: 19.99 }
    productId = (await scene.service.host.post('/api/products', product)).body.id
  })

  const open = (url = scene.service.url): Promise<WatchedPage> => openPage(scene.browser, `${url}/graphql/ui`)

  it('runs the query that it shows first for anybody, others with a token, completes by the schema, documents it, and keeps to its policy', async () => {
    const { id: tenantId } = await scene.service.newTenant()
    const { page, faults } = await open()
    assert.equal(await page.title(), 'Tenantry: GraphiQL')
    await editor(page, 'Query Editor').click()
    await page.keyboard.press('Control+Enter')
    await shows(page, /"name": "Walnut desk",\s+"price": 19.99/)

    await writeOperation(page, 'Me', 'query Me { me { userName tenantId } }')
    await executeQuery(page)
    await shows(page, /"message": "A valid bearer token is required\."/)
    await submitForm(page, { userName: 'boss', tenantId })
    await said(page, new RegExp(`^Signed in as boss of ${tenantId}, until `))
    await executeQuery(page)
    await shows(page, /"userName": "boss"/)
    await keepsNothing(page)
    const { accessToken } = await scene.service.signIn('admin')
    await typeInto(page, 'Headers', headersWith(accessToken)) // which go before the form
    await executeQuery(page)
    await shows(page, /"userName": "admin"/)

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
    await typeInto(page, 'Query Editor', 'query Some { ')
    const offered = page.locator('.CodeMirror-hints').getByText('products', { exact: true }).waitFor()
    await repeatUntil(offered, () => page.keyboard.press('Control+Space'))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    const documentation = page.locator('.graphiql-doc-explorer')
    await documentation.getByRole('link', { name: 'Query' }).click()
    await documentation.getByRole('link', { name: 'Product', exact: true }).first().click()
    await documentation.getByText('price: Decimal!').waitFor()
    assert.deepEqual(faults, [])
  })

  it('shows what a subscription pushes, until it is stopped, and why one is refused or has ended', async () => {
    const { page, faults } = await open()
    const { client, accessToken } = await scene.service.signIn('admin')
    await openTab(page, 'OrderCreated')
    await executeQuery(page)
    await shows(page, /A valid bearer token is required/)
    await typeInto(page, 'Headers', headersWith(accessToken))
    await executeQuery(page)
    const shown = shows(page, /"id": "[\da-f-]{36}",\s+"total": 59.97/)
    await repeatUntil(shown, async () => {
      const order = { customerId: 'customer-7', items: [{ productId, quantity: 3 }] }
      await scene.service.host.post('/api/orders', order)
    })
    await page.getByRole('button', { name: 'Stop query' }).click()
    await page.getByRole('button', { name: 'Execute query' }).waitFor()

    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
    await executeQuery(page)
    await connected
    await client.post('/api/auth/logout')
    await shows(page, /"The connection was closed: .+ \(4401\)\."/)
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
