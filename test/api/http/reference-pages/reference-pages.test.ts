import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, openPage, startBrowser } from '../../../support/browser.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { operationsOf, readOpenApi } from '../../../support/http/openapi-document.ts'
import { startService, type TestService } from '../../../support/service.ts'

let service: TestService
before(async () => {
  service = await startService('sqlite')
})
after(() => service.stop())

const pages = ['/swagger', '/api-docs', '/graphql/ui']

describe('The reference pages', () => {
  it('may run and ask for nothing but their own', async () => {
    for (const address of pages) {
      const page = await service.anonymous.get(address)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = page.headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'; script-src 'self'; connect-src 'self'/)
      assert.doesNotMatch(policy, /unsafe|\*|http/)
      assert.doesNotMatch(page.text, /<script>|<style|\son\w+=|https?:/)
    }
  })

  it('are found with a slash behind their address', async () => {
    for (const address of pages) {
      const moved = await service.anonymous.get(`${address}/`)
      assert.equal(moved.status, 308)
      assert.equal(
        new URL(moved.headers.get('location') ?? '', `${service.url}${address}/`).pathname,
        address,
      )
    }
  })

  it('and the document are sent once to a client that keeps them', async () => {
    const files = ['/swagger/swagger-ui-bundle.js', '/swagger/v1/swagger.json', '/graphql/ui/graphiql.js']
    for (const address of [...pages, ...files]) {
      const first = await service.anonymous.get(address)
      const etag = first.headers.get('etag') ?? ''
      const second = await service.anonymous.get(address, { 'if-none-match': etag })
      assert.equal(second.status, 304)
      assert.equal(second.text, '')
    }
  })

  it('are held once for all who do not read them', async () => {
    const address = '/swagger/swagger-ui-bundle.js'
    const { text } = await service.anonymous.get(address)
    const clients = 20
    const port = Number(new URL(service.url).port)
    const bytesBefore = process.memoryUsage().external
    // The kernel takes some megabytes for each.
    const request = `GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(10)
    const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1').pause())
    for (const socket of sockets) socket.write(request)
    const served = async () => {
      const figures = (await service.anonymous.get('/metrics')).text
      const count = /^http_request_duration_seconds_count\{.*swagger-ui-bundle.*\} (\d+)$/m.exec(figures)?.[1]
      return Number(count)
    }
    let lastServed = 0
    await eventually('no more is taken', soonMs, async () => {
      const servedBefore = lastServed
      lastServed = await served()
      await delay(500)
      return lastServed > clients && lastServed === servedBefore
    })
    const held = process.memoryUsage().external - bytesBefore
    for (const socket of sockets) socket.destroy()
    assert.ok(held < (clients * text.length) / 2, `${held} bytes`)
  })

  it('have scripts without an error of types', () => {
    for (const folder of ['assets/reference', 'assets/graphiql']) {
      const compiler = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', folder]
      execFileSync(process.execPath, compiler, { cwd: `${import.meta.dirname}/../../../..`, stdio: 'pipe' })
    }
  })
})

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('In a browser', { skip: chromiumPath === null && noBrowser }, () => {
  let browser: Browser
  let accessToken: string
  before(async () => {
    browser = await startBrowser(chromiumPath ?? '')
    accessToken = (await service.signIn('admin')).accessToken
    await service.host.post('/api/products', { name: 'Walnut desk', price: 19.99 })
  })
  after(() => browser.close())

  it('nothing that a page must not do goes unnoticed', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/api-docs`)
    await page.evaluate("fetch('https://example.com/').catch(() => null)")
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">inline</p>')")
    await page.evaluate("void (location.href = 'http://example.com/')")
    await page.waitForEvent('requestfailed')
    assert.match(faults.join('\n'), /policy violated: connect-src by https:\/\/example.com/)
    assert.match(faults.join('\n'), /policy violated: style-src-attr by inline/)
    assert.match(faults.join('\n'), /foreign: http:\/\/example.com/)
  })

  it('/swagger shows every operation and sends requests with a token', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/swagger`)
    await showsWhenScrolled(page)
    await page.locator('button.authorize').first().click()
    await page.locator('#auth-bearer-value').fill(accessToken)
    await page.locator('.auth-container button.authorize').first().click()
    await page.locator('.auth-container .btn-done').first().click()
    const operation = page.locator('#operations-Products-listActiveProducts')
    await scrollThrough(page, async () => (await operation.count()) > 0)
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('button.execute').click()
    const reply = operation.locator('.live-responses-table tbody')
    assert.match(await reply.innerText(), /^200\b[\s\S]*Walnut desk/)
    assert.deepEqual(faults, [])
  })

  it('/api-docs shows every operation and sends requests with a token', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/api-docs`)
    await showsOperations(page, '.operation')
    await page.locator('#token').fill(accessToken)
    const operation = page.locator('#listActiveProducts')
    await operation.locator('> summary').click()
    await operation.getByRole('button', { name: 'Send' }).click()
    const reply = operation.locator('.result .good')
    assert.match(await reply.innerText(), /^200 OK/)
    assert.match(await operation.locator('.result').innerText(), /Walnut desk/)
    assert.deepEqual(faults, [])
  })

  it('/api-docs sends parameters and bodies, and opens what the address names', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/api-docs#updateProduct`)
    const made = await service.host.post('/api/products', { name: 'Oak chair', price: 5 })
    await page.locator('#token').fill(accessToken)
    const operation = page.locator('#updateProduct')
    await operation.locator('input[name=id]').fill(made.body.id)
    await operation.locator('input[name=If-Match]').fill(made.headers.get('etag') ?? '')
    await operation.locator('textarea').fill('{"name": "Oak chair, <b>small</b>", "price": 4.5}')
    await operation.getByRole('button', { name: 'Send' }).click()
    await operation.locator('.result .good').waitFor()
    assert.match(await operation.locator('.result').innerText(), /"name": "Oak chair, <b>small<\/b>"/)
    assert.deepEqual(faults, [])
  })

  it('/api-docs finds operations by a word', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/api-docs`)
    await page.locator('#createProduct').waitFor()
    await page.locator('#filter').fill('post prod')
    assert.deepEqual(await page.locator('.operation:visible').evaluateAll(elementIds), ['createProduct'])
    assert.deepEqual(faults, [])
  })
})

async function showsOperations(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor()
  const known = operationsOf(await readOpenApi(service.anonymous)).size
  assert.equal(await page.locator(selector).count(), known)
}

/** With many operations Swagger UI has only those in sight in the page. */
async function showsWhenScrolled(page: Page): Promise<void> {
  const known = operationsOf(await readOpenApi(service.anonymous)).size
  const seen = new Set<string>()
  await page.locator('.opblock').first().waitFor()
  await scrollThrough(page, async () => {
    for (const id of await page.locator('.opblock').evaluateAll(elementIds)) seen.add(id)
    return seen.size >= known
  })
  assert.equal(seen.size, known)
}

/** Scrolls down from the top, by half a window, until `isDone` or the end of the page. */
async function scrollThrough(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  await page.evaluate('scrollTo(0, 0)')
  const isAtEnd = 'scrollY + innerHeight >= document.documentElement.scrollHeight - 1'
  const frames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
  while (!(await isDone())) {
    if (await page.evaluate(isAtEnd)) return
    await page.evaluate('scrollBy(0, innerHeight / 2)')
    await page.evaluate(frames)
  }
}

function elementIds(elements: { id: string }[]): string[] {
  return elements.map(({ id }) => id)
}
