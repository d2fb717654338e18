/** The address `/`: a page for browsers, and 404 for programs. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { chromiumPath, openPage, startBrowser } from '../../../support/browser.ts'
import type { Answer } from '../../../support/client.ts'
import { startService, type TestService } from '../../../support/service.ts'

const browsers = [
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
]
const programs = [
  '*/*',
  '',
  'application/json',
  'application/json, text/plain, */*',
  'application/json, text/html;q=0.9',
  'text/html;q=0, */*',
  'image/png',
]

describe('The address /', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', { NODE_ENV: 'production' })
  })
  after(() => service.stop())

  const ask = (method: string, path: string, accept: string) =>
    service.anonymous.send(method, path, undefined, { accept, 'accept-encoding': 'identity' })
  /** All but what is of one request: its id and the moment. */
  const told = ({ headers, status, text }: Answer) => {
    const lasting = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    return { status, text, headers: lasting }
  }

  it('is a page with links for whoever prefers HTML, under the policy of the other pages', async () => {
    const policy = (await service.anonymous.get('/swagger')).headers.get('content-security-policy')
    for (const accept of browsers) {
      const page = await ask('GET', '/', accept)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(page.headers.get('content-security-policy'), policy)
      assert.match(page.headers.get('vary') ?? '', /\bAccept\b/)
      assert.doesNotMatch(page.text, /<script|<style|\s(on\w+|style)=|https?:/)
      assert.ok(page.text.length < 2048, `${page.text.length} characters`)
      const links = [...page.text.matchAll(/href="([^":#]+)[#"]/g)].map(([, link = '']) => link)
      for (const wanted of ['swagger', 'api-docs', 'graphql/ui', 'swagger/v1/swagger.json', 'health'])
        assert.ok(links.includes(wanted), wanted)
      for (const link of links) assert.equal((await service.anonymous.get(`/${link}`)).status, 200, link)
    }
  })

  it('names an operation that there is', async () => {
    const [, operation] = /api-docs#(\w+)/.exec((await ask('GET', '/', 'text/html')).text) ?? []
    assert.ok((await service.anonymous.get('/swagger/v1/swagger.json')).text.includes(`"${operation}"`))
  })

  it('is asked for by HEAD, and again by tag', async () => {
    const page = await ask('GET', '/', 'text/html')
    const head = await ask('HEAD', '/', 'text/html')
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const name of ['content-type', 'content-length', 'etag'])
      assert.equal(head.headers.get(name), page.headers.get(name), name)
    const tag = {
      'accept-encoding': 'identity',
      accept: 'text/html',
      'if-none-match': page.headers.get('etag') ?? '',
    }
    assert.equal((await service.anonymous.get('/', tag)).status, 304)
  })

  it('is nothing for a program, as any address that there is not', async () => {
    for (const accept of programs) {
      for (const method of ['GET', 'HEAD']) {
        const [found, unknown] = [await ask(method, '/', accept), await ask(method, '/nowhere', accept)]
        assert.deepEqual(told(found), told(unknown), accept)
        assert.equal(found.status, 404)
      }
    }
    const problem = await ask('GET', '/', 'application/problem+json')
    assert.match(problem.headers.get('content-type') ?? '', /^application\/problem\+json/)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await ask(method, '/', 'text/html')
      assert.deepEqual([refused.status, refused.headers.get('allow')], [404, null], method)
    }
  })

  it('is shown by a browser, in light and in dark', {
    skip: chromiumPath === null && 'there is no Chromium; CHROMIUM_PATH says where another one is',
  }, async () => {
    const browser = await startBrowser(chromiumPath ?? '')
    try {
      const { page, faults } = await openPage(browser, `${service.url}/`)
      const ground = () => page.evaluate('getComputedStyle(document.querySelector("a")).color')
      await page.emulateMedia({ colorScheme: 'light' })
      const light = await ground()
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.notEqual(await ground(), light)
      await page.getByRole('link', { name: 'POST /api/init/first-admin' }).click()
      await page.locator('#createFirstAdmin[open]').waitFor()
      assert.deepEqual(faults, [])
    } finally {
      await browser.close()
    }
  })
})
