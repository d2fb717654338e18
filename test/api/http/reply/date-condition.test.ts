/** Last-Modified and the conditions on it (RFC 9110, sections 13.1.3 and 13.1.4), and If-None-Match on a change. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { StillClock } from '../../../support/clock.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

const changed = 'The resource has changed since it was read.'

onEitherDatabase('Conditions on the time of a change', (database) => {
  const clock = new StillClock()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const create = async () => {
    const { body, headers } = await tenant.user.post('/api/products', { name: 'Desk', price: 1 })
    return { path: `/api/products/${body.id}`, modified: headers.get('last-modified') ?? '', body }
  }
  const put = (path: string, headers: Record<string, string>) =>
    tenant.user.put(path, { name: 'New', price: 2 }, headers)

  it('are about the moment that every reply with a row tells, in whole seconds', async () => {
    const { path, modified, body } = await create()
    assert.equal(modified, new Date(body.updatedAt).toUTCString())
    assert.equal((await tenant.user.get(path)).headers.get('last-modified'), modified)
    clock.advance({ seconds: 5 })
    const later = (await put(path, {})).headers.get('last-modified')
    assert.equal(Date.parse(later ?? '') - Date.parse(modified), 5000)
    const category = await tenant.user.post('/api/categories', { name: `Desks of ${database}` })
    const order = { customerId: 'c', items: [{ productId: body.id, quantity: 1 }] }
    const url = 'https://example.com/hooks'
    for (const made of [
      category,
      await tenant.user.post('/api/orders', order),
      await tenant.user.post('/api/webhooks/subscriptions', { url, events: ['order.paid'] }),
    ]) {
      assert.equal(made.status, 201)
      assert.equal(made.headers.get('last-modified'), new Date(made.body.updatedAt).toUTCString())
    }
  })

  it('answer 304 while nothing has changed since', async () => {
    const { path, modified } = await create()
    const get = (since: string, more = {}) => tenant.user.get(path, { 'if-modified-since': since, ...more })
    for (const since of [modified, modified.replace(/\d{4}/, '2099')])
      assert.equal((await get(since)).status, 304)
    for (const since of [modified.replace(/\d{4}/, '2001'), '5', 'yesterday', '']) {
      assert.equal((await get(since)).status, 200, since)
    }
    // A tag goes before the time.
    assert.equal((await get(modified, { 'if-none-match': '"other"' })).status, 200)
    clock.advance({ seconds: 1 })
    await put(path, {})
    assert.equal((await get(modified)).status, 200)
  })

  it('refuse a change of what has changed since', async () => {
    const { path, modified } = await create()
    const since = { 'if-unmodified-since': modified }
    assert.equal((await put(path, since)).status, 200)
    clock.advance({ seconds: 1 })
    assert.equal((await put(path, since)).status, 200)
    assertError(await put(path, since), 412, changed)
    assertError(await tenant.user.delete(path, since), 412, changed)
    assert.equal((await tenant.user.get(path)).headers.get('etag'), '"v3"')
    // What is no date is no condition, and a tag goes before the time.
    assert.equal((await put(path, { 'if-unmodified-since': 'yesterday' })).status, 200)
    assert.equal((await put(path, { ...since, 'if-match': '"v4"' })).status, 200)
  })

  it('are dates in each of the three forms', async () => {
    const { path } = await create()
    for (const date of [
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
    ]) {
      assertError(await put(path, { 'if-unmodified-since': date }), 412, changed)
    }
  })

  it('let a row that exists be, where the client wants none', async () => {
    const { path } = await create()
    for (const tags of ['*', '"v1"', 'W/"v1"', '"v7", "v1"']) {
      assertError(await put(path, { 'if-none-match': tags }), 412, changed)
    }
    assert.equal((await put(path, { 'if-none-match': '"v7"' })).status, 200)
    const missing = '/api/products/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    assertError(await put(missing, { 'if-none-match': '*' }), 404)
  })

  it('create a provider only where there is none', async () => {
    const provider = '/api/webhooks/providers/acme'
    const set = (headers: Record<string, string>) => tenant.admin.put(provider, { secret: 'one' }, headers)
    assertError(await set({ 'if-match': '*' }), 412, changed)
    assert.equal((await set({ 'if-none-match': '*' })).status, 200)
    assertError(await set({ 'if-none-match': '*' }), 412, changed)
    assert.equal((await set({ 'if-match': '*' })).status, 200)
    const modified = (await tenant.admin.get(provider)).headers.get('last-modified') ?? ''
    clock.advance({ seconds: 1 })
    assert.equal((await set({ 'if-unmodified-since': modified })).status, 200)
    assertError(await tenant.admin.delete(provider, { 'if-unmodified-since': modified }), 412, changed)
    assert.equal((await tenant.admin.delete(provider)).status, 204)
  })
})
