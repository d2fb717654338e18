/** The pages of a service below a path: every request of a page goes below it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { closePages, openPage, releaseBrowser, sharedBrowser } from '../support/browser.ts'
import { assertFaultless, control } from '../support/console.ts'
import { freePort } from '../support/free-port.ts'
import { atAnyCost, password, startService, type TestService, type TestTenant } from '../support/service.ts'

/** Swagger UI draws the whole API at once, which takes seconds of processor time. */
const drawnWithinMs = 90_000

describe('The console of a service below a path', () => {
  let browser: Browser
  let service: TestService
  let tenant: TestTenant
  let origin: string
  before(async () => {
    const port = String(await freePort())
    origin = `http://localhost:${port}`
    service = await startService('sqlite', { PORT: port, BASE_URL: `${origin}/shop/backend` }, atAnyCost)
    tenant = await service.newTenant()
    browser = await sharedBrowser()
  })
  after(async () => {
    await closePages(browser)
    await releaseBrowser(browser)
    await service.stop()
  })

  it('signs in, shows rows and their changes, and the pages of the service within it', async () => {
    const opened = await openPage(browser, `${origin}/shop/backend/console/entities/category`)
    const { page } = opened
    await tenant.admin.post('/api/categories', { name: 'Desks' })
    const followed = page.waitForRequest(/\/api\/live$/)
    const elsewhere: string[] = []
    const note = (url: string) => {
      if (!/^(http|ws):\/\/[^/]+\/shop\/backend[/?]/.test(url) && /^(http|ws)/.test(url)) elsewhere.push(url)
    }
    page.on('request', (request) => note(request.url()))
    page.on('websocket', (socket) => note(socket.url()))
    await control(page, 'User name or email').fill('boss')
    await control(page, 'Password').fill(password)
    await control(page, 'Tenant').fill(tenant.id)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Categories', exact: true }).waitFor()
    assert.equal((await followed).url(), `${origin}/shop/backend/api/live`)
    await page.getByRole('link', { name: 'Desks' }).click()
    await page.getByRole('heading', { name: 'Desks' }).waitFor()
    assert.match(page.url(), /\/shop\/backend\/console\/entities\/category\//)
    await page.reload()
    await page.getByRole('heading', { name: 'Desks' }).waitFor()
    const told = page.waitForEvent('websocket')
    await page.goto(`${origin}/shop/backend/console/entities/order`)
    assert.equal((await told).url(), `${origin.replace('http', 'ws')}/shop/backend/graphql`)
    for (const name of ['graphiql', 'api-docs', 'swagger']) {
      await page.goto(`${origin}/shop/backend/console/developers/${name}`)
      const frame = page.frameLocator('iframe')
      await frame.locator('body *').nth(20).waitFor({ state: 'attached', timeout: drawnWithinMs })
    }
    assert.deepEqual(elsewhere, [])
    assertFaultless(opened)
  })

  it('signs in on the account page, which returns to it', async () => {
    const opened = await openPage(browser, `${origin}/shop/backend/console`)
    const { page } = opened
    await control(page, 'Tenant').fill(tenant.id)
    await page.getByRole('button', { name: 'Other ways to sign in' }).click()
    await page.waitForURL(/\/shop\/backend\/account\/sign-in\?/)
    await page.locator('input[name=userName]').fill('boss')
    await page.locator('input[name=password]').fill(password)
    await page.locator('form:has(input[name=password]) button').click()
    await page.getByRole('heading', { name: /^Good / }).waitFor()
    assert.equal(new URL(page.url()).pathname.replace(/\/$/, ''), '/shop/backend/console')
    assertFaultless(opened)
  })

  it('is not shown in a frame at an address that a proxy has decoded', async () => {
    const opened = await openPage(browser, `${origin}/health/live`)
    const { page } = opened
    const isShown = await page.evaluate(`(async () => {
      const frame = document.createElement('iframe')
      document.documentElement.append(frame)
      const inner = frame.contentDocument
      const script = inner.createElement('script')
      inner.body.innerHTML = '<div id="console"></div>'
      script.type = 'module'
      script.src = '/shop/backend/console/assets/main.js'
      const ended = new Promise((resolve) => { script.onload = script.onerror = resolve })
      inner.body.append(script)
      await ended
      await new Promise((resolve) => setTimeout(resolve, 300))
      return inner.getElementById('console').childElementCount > 0
    })()`)
    assert.equal(isShown, false)
  })
})
