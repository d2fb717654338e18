/** What the console says and does without a network, and on a slow one. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertFaultless, control, inBrowser, openOwnConsole } from '../support/console.ts'

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
