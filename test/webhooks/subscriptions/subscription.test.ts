/** Registering, reading, changing and deleting subscriptions. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { walkPages } from '../../support/pages.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'
import { changeSubscription, path, readSubscription, receiver, register } from './registration.ts'

onEitherDatabase('A subscription', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  for (const form of [path, '/api/v1/webhooks']) {
    it(`is made by POST ${form}, with what is not given filled in`, async () => {
      const answer = await tenant.user.post(form, receiver)
      assert.equal(answer.status, 201, answer.text)
      const { id, owner, secret, createdAt, updatedAt, ...rest } = answer.body
      const me = await tenant.user.get('/api/auth/me')
      assert.deepEqual(owner, { kind: 'user', id: me.body.id })
      assert.deepEqual(rest, {
        ...receiver,
        customer: null,
        unknownEvents: [],
        isActive: true,
        headers: {},
        retrySeconds: null,
        deactivatedAt: null,
        deactivationReason: null,
        successCount: 0,
        failureCount: 0,
        lastSuccessAt: null,
        lastFailureAt: null,
        failingSince: null,
      })
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.match(createdAt, /^\d{4}-.*\.\d{3}Z$/)
      assert.equal(updatedAt, createdAt)
      assert.equal(answer.headers.get('location'), `${path}/${id}`)
      assert.equal(answer.headers.get('etag'), '"v1"')
      assert.deepEqual(await readSubscription(tenant.user, id), {
        ...answer.body,
        secret: `whsec_****${secret.slice(-4)}`,
      })
    })
  }

  it('has all that was given', async () => {
    const members = {
      url: 'https://example.com:8443/a?b=c',
      events: ['order.*', 'product.updated', '*', 'my-app.thing_1.done'],
      headers: { Authorization: 'Bearer hidden' },
      retrySeconds: [1, 86_400],
    }
    const made = await register(tenant.user, members)
    assert.deepEqual({ ...made, ...members, headers: { Authorization: '****' } }, made)
    assert.deepEqual((await register(tenant.user, { retrySeconds: [] })).retrySeconds, [])
  })

  it('may be made by any user of the tenant, and by nobody else', async () => {
    assert.equal((await tenant.admin.post(path, receiver)).status, 201)
    for (const form of [path, '/api/v1/webhooks'])
      assertError(await service.anonymous.post(form, receiver), 401)
    assertError(await service.anonymous.get(path), 401)
  })

  const refused: [field: RegExp, members: Record<string, unknown>][] = [
    [/^url: /, { url: 'http://example.com' }],
    [/^url: /, { url: 'https://10.0.0.1/' }],
    [/^url: /, { url: 'https://user:word@example.com/' }],
    [/^url: /, { url: `https://example.com/${'a'.repeat(2048)}` }],
    [/^url: is required/, { url: undefined }],
    [/^events: is required/, { events: undefined }],
    [/^events: /, { events: [] }],
    [/^events: /, { events: Array.from({ length: 101 }, (_, index) => `a.b${index}`) }],
    [/^events: /, { events: '*' }],
    ...[
      '',
      '.',
      'order',
      'order.',
      '.created',
      'order..created',
      '*.created',
      'order.*.a',
      'or*',
      '**',
      'a b',
      'a/b',
    ].map((event): [RegExp, Record<string, unknown>] => [/^events\.0: /, { events: [event] }]),
    [/^events\.1: /, { events: ['order.created', 'a'.repeat(101)] }],
    [/^secret: /, { secret: '' }],
    [/^secret: /, { secret: 'x'.repeat(257) }],
    [/^secret: /, { secret: 5 }],
    [/^retrySeconds/, { retrySeconds: [0] }],
    [/^retrySeconds/, { retrySeconds: [86_401] }],
    [/^retrySeconds/, { retrySeconds: [1.5] }],
    [/^retrySeconds/, { retrySeconds: Array(11).fill(1) }],
    [/^headers/, { headers: ['a'] }],
  ]
  for (const [field, members] of refused) {
    it(`is refused with ${JSON.stringify(members).slice(0, 60)}`, async () => {
      assertError(await tenant.user.post(path, { ...receiver, ...members }), 400, field)
    })
  }

  it('is in the list, with its secret masked, in the order of creation', async () => {
    const { user } = await service.newTenant()
    const made: Answer['body'][] = []
    for (const event of ['a.b', 'c.d', 'e.f']) made.push(await register(user, { events: [event] }))
    const list = await user.get(path)
    assert.deepEqual(
      list.body,
      made.map((one) => ({ ...one, secret: `whsec_****${one.secret.slice(-4)}` })),
    )
    const pages = await walkPages(user, `${path}?limit=2`)
    assert.deepEqual(
      pages.map(({ body }) => body.length),
      [2, 1],
    )
    assert.deepEqual(
      pages.flatMap(({ body }) => body),
      list.body,
    )
    const etag = list.headers.get('etag') ?? ''
    assert.equal((await user.get(path, { 'if-none-match': etag })).status, 304)
  })

  it('keeps what a change leaves out', async () => {
    const made = await register(tenant.user, { headers: { 'X-A': 'b' }, retrySeconds: [7] })
    const { status, body, headers } = await changeSubscription(tenant.user, made.id, { events: ['*'] })
    assert.equal(status, 200)
    assert.equal(headers.get('etag'), '"v2"')
    const secret = `whsec_****${made.secret.slice(-4)}`
    assert.deepEqual(body, { ...made, secret, events: ['*'], updatedAt: body.updatedAt })
    assert.ok(body.updatedAt >= made.updatedAt)
    assert.deepEqual(await readSubscription(tenant.user, made.id), body)
    const changed = await changeSubscription(tenant.user, made.id, {
      url: `${made.url}/2`,
      retrySeconds: null,
    })
    assert.deepEqual([changed.body.url, changed.body.retrySeconds], [`${made.url}/2`, null])
  })

  it('is changed only into what could be registered', async () => {
    const { id } = await register(tenant.user)
    for (const [field, members] of refused) {
      if (!Object.values(members).includes(undefined) && !('secret' in members)) {
        assertError(await changeSubscription(tenant.user, id, members), 400, field)
      }
    }
    assert.equal((await tenant.user.get(`${path}/${id}`)).headers.get('etag'), '"v1"')
  })

  it('is paused and resumed', async () => {
    const { id } = await register(tenant.user)
    assert.equal((await changeSubscription(tenant.user, id, { isActive: false })).body.isActive, false)
    const paused = await readSubscription(tenant.user, id)
    assert.deepEqual([paused.isActive, paused.deactivatedAt], [false, null])
    assert.equal((await changeSubscription(tenant.user, id, { isActive: true })).body.isActive, true)
  })

  it('is changed and deleted only as it was read, where If-Match says so', async () => {
    const { id } = await register(tenant.user)
    const stale = { 'if-match': '"v2"' }
    assertError(await changeSubscription(tenant.user, id, { events: ['*'] }, stale), 412)
    assertError(await tenant.user.delete(`${path}/${id}`, stale), 412)
    assert.equal(
      (await changeSubscription(tenant.user, id, { events: ['*'] }, { 'if-match': '"v1"' })).status,
      200,
    )
    assert.equal((await tenant.user.get(`${path}/${id}`, { 'if-none-match': '"v2"' })).status, 304)
    assert.equal((await tenant.user.delete(`${path}/${id}`, stale)).status, 204)
  })

  it('is gone when it is deleted', async () => {
    const { id } = await register(tenant.user)
    const deleted = await tenant.user.delete(`${path}/${id}`)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assertError(await tenant.user.get(`${path}/${id}`), 404)
    assertError(await tenant.user.delete(`${path}/${id}`), 404)
    assertError(await changeSubscription(tenant.user, id, { isActive: true }), 404)
    assertError(await tenant.user.post(`${path}/${id}/rotate-secret`), 404)
    assertError(await tenant.user.get(`${path}/${randomUUID()}`), 404)
  })
})
