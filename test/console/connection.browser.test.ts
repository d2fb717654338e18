/** What the console says and does without a network, and on a slow one. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { WebSocketRoute } from 'playwright-core'
import { assertFaultless, control, inBrowser, openOwnConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'

inBrowser('A console', (scene) => {
  const newPage = async (path: string) => {
    const { service, browser } = scene
    const tenant = await service.newTenant()
    await tenant.admin.post('/api/categories', { name: 'Desks' })
    return { tenant, opened: await openOwnConsole(browser, service, path, { tenantId: tenant.id }) }
  }
  const lost = 'The service cannot be reached.'

  it('without a network says so, keeps what is typed, and goes on by itself when it is back', async () => {
    const { tenant, opened } = await newPage('/entities/category')
    const { page, faults } = opened
    const banner = page.locator('.offline').getByText(lost)
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    await page.context().setOffline(true)
    await banner.waitFor()
    await page.getByRole('link', { name: 'Products' }).first().click()
    await page.getByRole('alert').getByText(lost).waitFor()
    assert.equal((await tenant.admin.post('/api/products', { name: 'Oak desk', price: 10 })).status, 201)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Oak desk' }).waitFor()
    await banner.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Categories' }).first().click()
    await page.getByRole('link', { name: 'New category' }).first().click()
    await control(page, 'Name').fill('Lamps')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').getByText(lost).waitFor()
    assert.equal(await control(page, 'Name').inputValue(), 'Lamps')
    await page.context().setOffline(false)
    await banner.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Lamps' }).waitFor()
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    )
  })

  it('that cannot renew its session says why, and goes on when it can', async () => {
    const { opened } = await newPage('/entities/category')
    const { page, faults } = opened
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    const refused = { status: 401, json: { message: 'The token has expired.' } }
    await page.route(/\/api\/products/, (route) => route.fulfill(refused), { times: 1 })
    await page.route('**/api/auth/refresh', (route) => route.abort(), { times: 1 })
    await page.getByRole('link', { name: 'Products' }).first().click()
    await page.getByRole('alert').getByText(lost).waitFor()
    await page.getByText('There are no products yet.').waitFor()

    const busy = { status: 503, json: { status: 503, detail: 'The service is busy.' } }
    await page.route(/\/api\/categories/, (route) => route.fulfill(refused), { times: 1 })
    await page.route('**/api/auth/refresh', (route) => route.fulfill(busy), { times: 1 })
    await page.getByRole('link', { name: 'Categories' }).first().click()
    await page.getByRole('alert').getByText('The service is busy.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    assert.deepEqual(
      faults.filter((fault) => !/ERR_FAILED|status of (401|503)/.test(fault)),
      [],
    )
  })

  it('follows its list again after the session could not be renewed for a while', async () => {
    const { tenant, opened } = await newPage('/entities/category')
    const { page } = opened
    const sockets: WebSocketRoute[] = []
    await page.clock.install()
    await page.routeWebSocket('**/graphql', (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
    await page.reload()
    const mark = page.getByTitle('Shows changes of others as they happen')
    await mark.waitFor()
    await page.route('**/api/auth/refresh', (route) => route.abort())
    await page.clock.fastForward('01:00:00')
    await sockets[0]?.close()
    await mark.waitFor({ state: 'detached' })
    const renewing = page.waitForRequest('**/api/auth/refresh')
    await page.clock.fastForward('00:06')
    await renewing
    await page.unroute('**/api/auth/refresh')
    await eventually('the list is followed', soonMs, async () => {
      await page.clock.fastForward('00:06')
      return mark.isVisible()
    })
    await tenant.admin.post('/api/categories', { name: 'Lamps' })
    await page.getByRole('link', { name: 'Lamps' }).waitFor()
  })

  it('on a slow network does not move what is shown when the rest arrives', async () => {
    const { tenant, opened } = await newPage('')
    const { page } = opened
    const { id } = (await tenant.admin.get('/api/categories')).body[0]
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 60,
      downloadThroughput: 600_000,
      uploadThroughput: 600_000,
    })
    await page.addInitScript(`
      globalThis.moved = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.moved += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    `)
    for (const [path, ready] of [
      ['/entities/category', page.getByRole('link', { name: 'Desks' })],
      [`/entities/category/${id}`, page.getByRole('heading', { name: 'Desks' })],
      ['/users', page.getByRole('link', { name: 'boss' })],
      ['/subscriptions', page.getByText('Nothing is subscribed yet.')],
    ] as const) {
      await page.goto(`${scene.service.url}/console${path}`)
      await ready.first().waitFor()
      const moved = Number(await page.evaluate('globalThis.moved'))
      // The bound of a good page in Core Web Vitals.
      assert.ok(moved < 0.1, `${path}: ${moved}`)
    }
    assertFaultless(opened)
  })
})
