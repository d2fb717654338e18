/** The address `/`: the console for browsers, and 404 for programs. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../../../support/client.ts'
import { startService, type TestService } from '../../../support/service.ts'

const browsers = [
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
]
const immutable = 'public, max-age=31536000, immutable'
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

  it('sends whoever prefers HTML to the console, under the policy of the other pages but in no frame', async () => {
    const policy = (await service.anonymous.get('/swagger')).headers.get('content-security-policy') ?? ''
    const withoutFrame = policy.replace("frame-ancestors 'self'", "frame-ancestors 'none'")
    assert.notEqual(withoutFrame, policy)
    for (const accept of browsers) {
      const found = await ask('GET', '/', accept)
      assert.deepEqual([found.status, found.headers.get('location'), found.text], [302, 'console', ''])
      assert.match(found.headers.get('vary') ?? '', /\bAccept\b/)
      const page = await ask('GET', '/console', accept)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(page.headers.get('content-security-policy'), withoutFrame)
      assert.doesNotMatch(page.text, /<script>|<style|\s(on\w+|style)=|https?:/)
      const files = [...page.text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, file = '']) => file)
      assert.deepEqual(
        files.map((file) => file.split('.').at(-1)),
        ['woff2', 'css', 'js'],
        'a font, a style and a script',
      )
      for (const file of files) {
        const { status, headers } = await service.anonymous.get(file)
        assert.deepEqual([status, headers.get('cache-control')], [200, immutable], file)
      }
    }
  })

  it('is asked for by HEAD, and its page again by tag', async () => {
    const head = await ask('HEAD', '/', 'text/html')
    assert.deepEqual([head.status, head.headers.get('location'), head.text], [302, 'console', ''])
    const page = await ask('GET', '/console', 'text/html')
    const headOfPage = await ask('HEAD', '/console', 'text/html')
    assert.deepEqual([headOfPage.status, headOfPage.text], [200, ''])
    for (const name of ['content-type', 'content-length', 'etag'])
      assert.equal(headOfPage.headers.get(name), page.headers.get(name), name)
    const tag = {
      'accept-encoding': 'identity',
      accept: 'text/html',
      'if-none-match': page.headers.get('etag') ?? '',
    }
    assert.equal((await service.anonymous.get('/console', tag)).status, 304)
    assert.equal((await service.anonymous.get('/console/entities/product', tag)).status, 304)
  })

  it('shows the components of the console in development alone', async () => {
    const [page, components] = await Promise.all(
      ['/console', '/console/components'].map((path) => ask('GET', path, 'text/html')),
    )
    assert.equal(components?.text, page?.text, 'the console itself')
    const development = await startService('sqlite')
    try {
      const { text } = await development.anonymous.get('/console/components')
      const [script = ''] = /\/console\/assets\/components-[\w-]+\.js/.exec(text) ?? []
      assert.equal((await development.anonymous.get(script)).status, 200)
      assert.equal((await service.anonymous.get(script)).status, 404)
    } finally {
      await development.stop()
    }
  })

  it('has no file of the console that is not there', async () => {
    for (const name of ['nothing.js', '..%2f..%2fpackage.json', 'index.html'])
      assert.equal((await service.anonymous.get(`/console/assets/${name}`)).status, 404, name)
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
})
