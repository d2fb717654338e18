/** What the console says and does without a network, on a slow one, and when the session has ended. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import { password } from '../support/service.ts'

inBrowser('A console', (scene) => {
  const newPage = async (path: string) => {
    const { service, browser } = scene
    const tenant = await service.newTenant()
    await tenant.admin.post('/api/categories', { name: 'Desks' })
    return { tenant, opened: await openConsole(browser, service, path, { tenantId: tenant.id }) }
  }
  const lost = 'The service cannot be reached.'

  it('without a network says so, and goes on by itself when it is back', async () => {
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
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    )
    await page.close()
  })

  it('keeps what is shown and typed while the network is away', async () => {
    const { opened } = await newPage('/entities/category/new')
    const { page } = opened
    await control(page, 'Name').fill('Lamps')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').getByText(lost).waitFor()
    assert.equal(await control(page, 'Name').inputValue(), 'Lamps')
    await page.context().setOffline(false)
    await page.locator('.offline').getByText(lost).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Lamps' }).waitFor()
    await page.close()
  })

  it('on a slow network does not move what is shown when the rest arrives', async () => {
    const { tenant, opened } = await newPage('')
    const { page } = opened
    const { id } = (await tenant.admin.get('/api/categories')).body[0]
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 300,
      downloadThroughput: 60_000,
      uploadThroughput: 60_000,
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
    await page.close()
  })

  it('leads back to the same place after a session that was ended', async () => {
    const { tenant, opened } = await newPage('/entities/category?sort=name')
    const { page } = opened
    await page.getByRole('link', { name: 'Desks' }).waitFor()
    const { id } = (await tenant.admin.get('/api/auth/me')).body
    assert.equal((await tenant.admin.delete(`/api/users/${id}/sessions`)).status, 204)
    await page.getByRole('link', { name: 'Desks' }).click()
    await page.getByText('Your session has ended. Sign in again.').waitFor()
    await control(page, 'User name or email').fill('boss')
    await control(page, 'Password').fill(password)
    await control(page, 'Tenant').fill(tenant.id)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Desks' }).waitFor()
    assertFaultless(opened, 401)
    await page.close()
  })
})
