/** The service behind real proxies, with the files of docs/operations as they are but for addresses. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from '../../support/client.ts'
import { EventReader } from '../../support/graphql/event-reader.ts'
import { onOrderCreated, RawSocket } from '../../support/graphql/raw-socket.ts'
import { newProduct } from '../../support/orders.ts'
import { password, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { proxies, type RunningProxy, startProxy } from './proxy.ts'

const mebibyte = 1024 * 1024
const keepAliveMs = 100
const followed = { path: '/api/live', body: { lists: { products: { entity: 'product', fields: 'id' } } } }
const settings = { TRUST_PROXY: 'loopback', COMPRESS_REPLIES: 'false', BODY_LIMIT_BYTES: `${mebibyte}` }

for (const proxy of proxies) {
  describe(`The service behind ${proxy.program}`, () => {
    let service: TestService
    let tenant: TestTenant
    let behind: RunningProxy
    let user: Client
    before(async () => {
      service = await startService('sqlite', settings, { keepAliveMs })
      tenant = await service.newTenant()
      behind = await startProxy(proxy, service.url)
      user = new Client(behind.url, tenant.user.headers)
    })
    after(async () => {
      await behind[Symbol.asyncDispose]()
      await service.stop()
    })

    it('signs users in', async () => {
      const body = { userName: 'worker', password }
      const answer = await new Client(behind.url).post('/api/auth/login', body, { 'x-tenant-id': tenant.id })
      assert.equal(answer.status, 200, answer.text)
    })

    it('opens WebSockets for pages of the address of the proxy, and no others', async () => {
      const { authorization } = tenant.user.headers
      const headers = { origin: behind.url }
      await using socket = await RawSocket.enter(behind.url, { authorization }, { headers })
      assert.equal(socket.socket.readyState, 1)
      const elsewhere = { origin: 'http://127.0.0.1:1' }
      await assert.rejects(RawSocket.open(behind.url, { headers: elsewhere }), /403/)
    })

    it('streams events as they come', async () => {
      const abort = new AbortController()
      const response = await fetch(`${behind.url}/graphql`, {
        method: 'POST',
        headers: {
          ...tenant.user.headers,
          accept: 'text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query: onOrderCreated }),
        signal: abort.signal,
      })
      assert.equal(response.status, 200)
      const reader = response.body?.getReader()
      for (let heard = 0; heard < 2; heard++) assert.ok(((await reader?.read())?.value?.length ?? 0) > 0)
      abort.abort()
    })

    it('tells a followed list of each change as it comes', async () => {
      await using reader = await EventReader.open(user, followed)
      assert.equal((await reader.inbox.next()).event, 'ready')
      for (let made = 0; made < 3; made++) {
        const { id } = await newProduct(tenant.user)
        let told = await reader.inbox.next()
        while (told.event === 'cursor') told = await reader.inbox.next()
        assert.deepEqual([told.event, told.data.kind, told.data.id], ['change', 'enter', id])
      }
    })

    it('takes files of 50 MiB, and gives them back', async () => {
      const content = Buffer.alloc(50 * mebibyte, 'x')
      content.write('%PDF-1.4\n')
      const headers = { 'content-type': 'application/pdf' }
      const stored = await user.send('POST', '/api/files?name=large.pdf', content, headers)
      assert.equal(stored.status, 201, stored.text)
      const response = await fetch(`${behind.url}/api/files/${stored.body.id}`, { headers: user.headers })
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(content))
    })

    it('refuses larger bodies with the reply of the service', async () => {
      const answer = await user.post('/api/products', `"${'x'.repeat(mebibyte)}"`)
      assert.equal(answer.status, 413)
      assert.deepEqual(answer.body, { message: 'The request body is too large.' })
    })

    it('answers with a Link of several kilobytes', async () => {
      for (const name of ['One', 'Two']) await user.post('/api/products', { name, price: 1 })
      const long = `limit=1&description[neq]=${'%C3%A4'.repeat(1000)}`
      const answer = await user.get(`/api/products?${long}`)
      assert.equal(answer.status, 200, answer.text)
      assert.ok((answer.headers.get('link')?.length ?? 0) > 6000)
      const second = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? ''
      const next = await user.get(
        second.startsWith('http') ? second.slice(new URL(second).origin.length) : second,
      )
      assert.equal(next.status, 200)
    })

    it('changes a row by the tag of a reply that the proxy has compressed', async () => {
      await using compressing = await startProxy(proxy, service.url, { compresses: true })
      const description = 'long '.repeat(190)
      const made = await user.post('/api/products', { name: 'Desk', price: 1, description })
      const path = `/api/products/${made.body.id}`
      const caller = new Client(compressing.url, { ...user.headers, 'accept-encoding': 'gzip' })
      const read = await caller.get(path)
      assert.equal(read.headers.get('content-encoding'), 'gzip')
      const tag = read.headers.get('etag') ?? ''
      assert.equal((await caller.get(path, { 'if-none-match': tag })).status, 304)
      const changed = await caller.patch(path, { price: 2 }, { 'if-match': tag })
      assert.equal(changed.status, 200, `${tag} ${changed.text}`)
      assert.equal((await caller.patch(path, { price: 3 }, { 'if-match': tag })).status, 412)
    })

    it('does not show the metrics', async () => {
      assert.equal((await user.get('/metrics')).status, 403)
    })
  })
}

describe('A proxy that collects replies', () => {
  it('holds back a followed list, so that its client takes the stream for lost', async () => {
    await using held = new AsyncDisposableStack()
    const service = await startService('sqlite', settings, { keepAliveMs })
    held.defer(() => service.stop())
    const { user } = await service.newTenant()
    const [nginx] = proxies
    assert.ok(nginx)
    const collects = (config: string) =>
      config.replace(
        'listen 127.0.0.1',
        'proxy_ignore_headers X-Accel-Buffering; gzip on; gzip_types text/event-stream; listen 127.0.0.1',
      )
    const behind = held.use(await startProxy(nginx, service.url, { edit: collects }))
    // Not even the head, although the cursor is sent ten times a second here.
    const opening = fetch(`${behind.url}${followed.path}`, {
      method: 'POST',
      headers: { ...user.headers, 'content-type': 'application/json' },
      body: JSON.stringify(followed.body),
      signal: AbortSignal.timeout(1500),
    })
    await assert.rejects(opening, { name: 'TimeoutError' })
  })
})
