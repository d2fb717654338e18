/** Replies in gzip and brotli: which ones, for which clients, and that replies with secrets are not compressed. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sharedService, startService, type TestService, uniqueName } from '../../../support/service.ts'

/** `fetch` decompresses by itself. */
interface Coded {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync }

/** Of every reply. */
const usualVary = 'Authorization, X-Api-Key, X-Tenant-Id, Accept'

describe('Replies', () => {
  let service: TestService
  let token: string
  before(async () => {
    service = await startService('sqlite')
    token = (await service.signIn('admin')).accessToken
    const description = 'A desk of solid walnut. '.repeat(60)
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        Array.from({ length: 10 }, (_, place) =>
          service.host.post('/api/products', { name: `Desk ${round} ${place}`, price: 1, description }),
        ),
      )
    }
  })
  after(() => service.stop())

  async function ask(path: string, headers: Record<string, string> = {}): Promise<Coded> {
    const authorization = `Bearer ${token}`
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${service.url}${path}`, { agent: false, headers: { authorization, ...headers } }, resolve).on(
        'error',
        reject,
      )
    })
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    return { status: response.statusCode ?? 0, headers: response.headers, bytes }
  }

  /** Small at once, pages and whole lists as streams, documents, GraphQL. */
  const paths = [
    '/api/products?limit=3',
    '/api/products?limit=50',
    '/api/products',
    '/api/webhooks/event-types',
    '/swagger/v1/swagger.json',
    '/swagger/swagger-ui-bundle.js',
    '/metrics',
    `/graphql?query=${encodeURIComponent('{ products { name description } }')}`,
  ]
  for (const path of paths) {
    for (const coding of ['gzip', 'br']) {
      it(`of ${path.slice(0, 40)} are the same in ${coding}`, async () => {
        const plain = await ask(path)
        const coded = await ask(path, { 'accept-encoding': coding })
        assert.deepEqual([coded.status, coded.headers['content-encoding']], [200, coding])
        assert.equal(plain.headers['content-encoding'], undefined)
        for (const { headers } of [plain, coded]) assert.match(headers.vary ?? '', /\baccept-encoding$/)
        assert.ok(
          coded.bytes.length < plain.bytes.length / 2,
          `${coded.bytes.length} of ${plain.bytes.length}`,
        )
        if (path !== '/metrics') assert.deepEqual(decoders[coding]?.(coded.bytes), plain.bytes)
      })
    }
  }

  it('are coded as the client accepts it', async () => {
    const expected: [string, string | undefined][] = [
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0.1, gzip;q=0.9', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0, br;q=0', undefined],
      ['identity', undefined],
      ['deflate', undefined],
      ['', undefined],
      // As long as a header may be: to read it would cost more than the reply.
      ['gzip;q=0.9, '.repeat(1200), undefined],
      ['br,'.padEnd(900, ' '), 'br'],
    ]
    for (const [accept, coding] of expected) {
      const { headers } = await ask('/api/products?limit=3', { 'accept-encoding': accept })
      assert.equal(headers['content-encoding'], coding, accept)
    }
  })

  it('up to 1 KiB are sent as they are', async () => {
    const { headers, bytes } = await ask('/api/auth/me', { 'accept-encoding': 'gzip' })
    assert.ok(bytes.length < 1024)
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, usualVary])
  })

  it('have a tag for each coding, and each of them names the version', async () => {
    const { body } = await service.host.post('/api/products', {
      name: 'Desk',
      price: 1,
      description: 'x'.repeat(2000),
    })
    const path = `/api/products/${body.id}`
    const coded = await ask(path, { 'accept-encoding': 'gzip' })
    assert.equal(coded.headers.etag, '"v1-gzip"')
    const same = await ask(path, { 'accept-encoding': 'gzip', 'if-none-match': '"v1-gzip"' })
    assert.deepEqual(
      [same.status, same.headers.etag, same.headers.vary],
      [304, '"v1-gzip"', `${usualVary}, accept-encoding`],
    )
    assert.equal((await ask(path, { 'if-none-match': '"v1"' })).status, 304)
    const put = (tag: string) => service.host.put(path, { name: 'New', price: 2 }, { 'if-match': tag })
    assert.equal((await put('"v1-br"')).status, 200)
    assert.equal((await put('"v1-gzip"')).status, 412)
    const list = await ask('/api/products?limit=3', { 'accept-encoding': 'br' })
    assert.equal(
      (await ask('/api/products?limit=3', { 'if-none-match': String(list.headers.etag) })).status,
      304,
    )
  })

  it('with a secret are not compressed, whatever stands beside it, and no cache keeps them', async () => {
    const headers = { 'accept-encoding': 'gzip, br' }
    const url = `https://example.com/${'x'.repeat(1500)}`
    const made = await service.host.post('/api/webhooks/subscriptions', { url, events: ['*'] }, headers)
    const path = `/api/webhooks/subscriptions/${made.body.id}/rotate-secret`
    const { refreshToken } = await service.signIn('admin')
    const userName = uniqueName('user').padEnd(50, 'x')
    const person = { userName, email: `${'x'.repeat(60)}@example.com`, password: 'Admin@123' }
    const names = { firstName: 'x'.repeat(100), lastName: 'x'.repeat(100) }
    assert.equal((await service.host.post('/api/users', { ...person, ...names })).status, 201)
    const replies = [
      made,
      await service.host.post('/api/v1/webhooks', { url, events: ['*'] }, headers),
      await service.host.post(path, undefined, headers),
      await service.anonymous.post('/api/auth/login', { userName, password: person.password }, headers),
      await service.anonymous.post('/api/auth/refresh', { refreshToken }, headers),
    ]
    for (const reply of replies) {
      assert.ok(reply.status === 200 || reply.status === 201, reply.text)
      assert.equal(reply.headers.get('content-encoding'), null)
      assert.equal(reply.headers.get('cache-control'), 'no-store')
    }
    assert.ok(replies.slice(0, 4).every(({ text }) => text.length > 1024))
    const masked = await service.host.get(`/api/webhooks/subscriptions/${made.body.id}`, headers)
    assert.ok(masked.headers.has('content-encoding'))
  })

  it('with a secret say so in their routes', () => {
    const routes = service.service.features.flatMap((feature) => feature.routes ?? [])
    const telling = routes.filter(({ method, path, reply }) => {
      const members = Object.keys((reply as { properties?: object } | undefined)?.properties ?? {})
      // The key of a job is the caller's own.
      return (
        method === 'POST' &&
        !path.startsWith('/api/jobs/') &&
        members.some((name) => /^(accessToken|refreshToken|secret|key)$/.test(name))
      )
    })
    assert.ok(telling.length >= 5)
    assert.deepEqual(
      telling.filter(({ secret }) => secret !== true).map(({ path }) => path),
      [],
    )
  })

  it('that are streams of events come event by event', async () => {
    const path = `/graphql?query=${encodeURIComponent('{ products { name description } }')}`
    const { headers, bytes } = await ask(path, { accept: 'text/event-stream', 'accept-encoding': 'gzip' })
    assert.equal(headers['content-encoding'], undefined)
    assert.match(bytes.toString(), /^event: next/)
  })

  it('to HEAD leave out the length that compression would change', async () => {
    const head = (coding: string) =>
      service.host.send('HEAD', '/api/products?limit=50', undefined, { 'accept-encoding': coding })
    const [plain, coded] = [await head('identity'), await head('gzip')]
    assert.ok(Number(plain.headers.get('content-length')) > 1024)
    assert.equal(coded.headers.get('content-length'), null)
    for (const { headers } of [plain, coded])
      assert.equal(headers.get('vary'), `${usualVary}, accept-encoding`)
  })
})

it('The scripts of the console are sent as they were compressed when the package was built', async () => {
  const service = await sharedService('sqlite')
  try {
    const page = await service.anonymous.get('/console', { accept: 'text/html' })
    const [, path = ''] = /src="([^"]+\.js)"/.exec(page.text) ?? []
    const answer = (accepted: string, etag = '') =>
      fetch(`${service.url}${path}`, { headers: { 'accept-encoding': accepted, 'if-none-match': etag } })
    const [coded, plain] = [await answer('br'), await answer('identity')]
    const built = readFileSync(new URL(`../../../../dist${path}.br`, import.meta.url))
    assert.deepEqual(
      ['content-encoding', 'vary', 'content-length'].map((name) => coded.headers.get(name)),
      ['br', `${usualVary}, accept-encoding`, String(built.length)],
    )
    assert.equal(await coded.text(), await plain.text())
    assert.equal(plain.headers.get('content-encoding'), null)
    const tag = coded.headers.get('etag') ?? ''
    assert.equal(tag, plain.headers.get('etag')?.replace(/"$/, '-br"'))
    assert.equal((await answer('br', tag)).status, 304)
    assert.equal((await service.anonymous.get(`${path}.br`)).status, 404)
  } finally {
    await service.stop()
  }
})

it('Replies are sent as they are where a proxy compresses', async () => {
  const service = await startService('sqlite', { COMPRESS_REPLIES: 'false' })
  try {
    const page = await service.anonymous.get('/console', { accept: 'text/html' })
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page.text) ?? []
    assert.equal(
      (await service.anonymous.get(script, { 'accept-encoding': 'br' })).headers.get('content-encoding'),
      null,
    )
    const path = '/swagger/v1/swagger.json'
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await service.anonymous.send(method, path, undefined, {
        'accept-encoding': 'gzip, br',
      })
      assert.deepEqual([status, headers.get('content-encoding'), headers.get('vary')], [200, null, usualVary])
      assert.ok(Number(headers.get('content-length')) > 1024)
      if (method === 'GET') assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)))
    }
  } finally {
    await service.stop()
  }
})
