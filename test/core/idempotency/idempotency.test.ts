/** Idempotency-Key: a repeated request has no second effect. */
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { runsOf } from '../../support/run/extent.ts'
import { callersAt, startService, type TestService, type TestTenant } from '../../support/service.ts'

const desk = { name: 'Desk', price: 19.99, description: 'Of oak, "solid".' }
/** What a client may rely on beside status and body. */
const lasting = ['content-type', 'etag', 'location', 'content-length']

onEachDatabase('A product that is created once', (database) => {
  const clock = new TestClock()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const create = (key: string, body: unknown = desk, caller: Client = tenant.user) =>
    caller.post('/api/products', body, { 'idempotency-key': key })

  const count = async () => (await tenant.user.get('/api/products')).body.length

  it('is answered for again with the very same reply', async () => {
    const key = randomUUID()
    const known = await count()
    const first = await create(key)
    assert.equal(first.status, 201)
    assert.equal(first.headers.get('idempotency-replayed'), null)
    const again = await create(key)
    assertSameReply(again, first)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(await count(), known + 1)
  })

  it('is answered for as it was made, though it has changed since', async () => {
    const key = randomUUID()
    const first = await create(key)
    const path = `/api/products/${first.body.id}`
    await tenant.user.put(path, { name: 'Other', price: 1 })
    assertSameReply(await create(key), first)
    await tenant.user.delete(path)
    assertSameReply(await create(key), first)
    assertError(await tenant.user.get(path), 404)
  })

  it('is not made by the same key with another body', async () => {
    const key = randomUUID()
    await create(key)
    const known = await count()
    const reused = 'This Idempotency-Key was used with another request.'
    assertError(await create(key, { ...desk, price: 20 }), 422, reused)
    assertError(await create(key, { ...desk, isActive: false }), 422, reused)
    const elsewhere = await tenant.user.post('/api/categories', desk, { 'idempotency-key': key })
    assertError(elsewhere, 422, reused)
    assert.equal(await count(), known)
  })

  it('is the same request with its members in another order', async () => {
    const key = randomUUID()
    const request = { type: 'parcel.sent', data: { to: { city: 'Ulm', zip: '89073' }, parts: [1, 2] } }
    const publish = (body: unknown) => tenant.user.post('/api/events', body, { 'idempotency-key': key })
    const first = await publish(request)
    assert.equal(first.status, 202, first.text)
    const turned =
      '{"data": {"parts": [1.0, 2], "to": {"zip": "89073", "city": "Ulm"}}, "type": "parcel.sent"}'
    assertSameReply(await publish(turned), first)
    assertError(await publish({ ...request, data: { ...request.data, parts: [2, 1] } }), 422)
    assertError(await publish({ ...request, data: { ...request.data, more: null } }), 422)
  })

  it('is known by a record from before the canonical form', async () => {
    const key = randomUUID()
    const { id, user: caller } = await service.newTenant()
    const sent = '{"price":19.99,"name":"Desk"}'
    const first = await create(key, sent, caller)
    const request = hash('sha256', `POST /api/products\n${sent}`, 'base64url')
    const { secretBox } = (await service.service.operator()).shared
    const fingerprint = secretBox.digest(request, 'idempotency').toString('base64url')
    const sql = `UPDATE idempotency SET fingerprint = '${fingerprint}' WHERE tenant_id = '${id}'`
    await inspect(service.config.databaseUrl, sql)
    assertSameReply(await create(key, sent, caller), first)
    assertError(await create(key, '{"price":20,"name":"Desk"}', caller), 422)
  })

  it('is judged as input before the key is looked at, and a refusal is not remembered', async () => {
    const key = randomUUID()
    assertError(await create(key, { ...desk, price: -1 }), 400, /^price: /)
    const unknown = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    assertError(await create(key, { ...desk, categoryId: unknown }), 400, /^categoryId: /)
    assert.equal((await create(key)).status, 201)
  })

  it('belongs to the user who asked: the same key of another user is another key', async () => {
    const key = randomUUID()
    const first = await create(key)
    const second = await create(key, desk, tenant.admin)
    assert.equal(second.status, 201)
    assert.notEqual(second.body.id, first.body.id)
    const other = await service.newTenant()
    const third = await create(key, { name: 'Lamp', price: 1 }, other.user)
    assert.equal(third.status, 201)
    assertSameReply(await create(key), first)
  })

  it('is made anew without a key', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => tenant.user.post('/api/products', desk)))
    assert.notEqual(one?.body.id, two?.body.id)
  })

  for (const key of ['', 'two words', 'a'.repeat(256), 'tab\tbed', 'caf\u00e9']) {
    it(`needs a key of 1 to 255 printable ASCII characters, not ${JSON.stringify(key.slice(0, 10))}`, async () => {
      assertError(await create(key), 400, /^Idempotency-Key: /)
    })
  }

  it('may have a key of any printable characters', async () => {
    for (const key of ['a'.repeat(255), `!"#$%&'()*+,-./:;<=>?@[]^_{|}~${randomUUID()}`]) {
      assertSameReply(await create(key), await create(key))
    }
  })

  it('is one product for many simultaneous requests, with equal replies', async () => {
    const key = randomUUID()
    const known = await count()
    const answers = await Promise.all(Array.from({ length: runsOf(20, 100) }, () => create(key)))
    const [first] = answers
    assert.ok(first)
    for (const answer of answers) assertSameReply(answer, first)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
    assert.equal(await count(), known + 1)
  })

  it('is remembered for a day and then forgotten', async () => {
    const key = randomUUID()
    const first = await create(key)
    clock.advance({ minutes: 24 * 60 - 5 })
    const worker = (await service.signIn('worker', tenant.id)).client
    assertSameReply(await create(key, desk, worker), first)
    clock.advance({ minutes: 10 })
    const anew = await create(key, { ...desk, price: 20 }, worker)
    assert.equal(anew.status, 201)
    assert.notEqual(anew.body.id, first.body.id)
  })

  it('is forgotten in time, though a use clears few of the others', async () => {
    const host = (await service.signIn('admin')).client
    const { id, user } = await callersAt(service.anonymous, host).newTenant()
    const keys = Array.from({ length: 25 }, () => randomUUID())
    for (const key of keys) assert.equal((await create(key, desk, user)).status, 201)
    clock.advance({ minutes: 24 * 60 + 5 })
    const caller = (await service.signIn('worker', id)).client
    const last = keys.at(-1) ?? ''
    assert.equal((await create(last, { ...desk, price: 20 }, caller)).status, 201)
    const sql = `SELECT key FROM idempotency WHERE tenant_id = '${id}'`
    const left = await inspect(service.config.databaseUrl, sql)
    assert.equal(left.length, keys.length - 20)
    for (let use = 0; use < 3; use++) await create(randomUUID(), desk, caller)
    assert.equal((await inspect(service.config.databaseUrl, sql)).length, 4)
  })
})

function assertSameReply(answer: Answer, first: Answer): void {
  assert.equal(answer.status, first.status, answer.text)
  assert.equal(answer.text, first.text)
  for (const name of lasting) assert.equal(answer.headers.get(name), first.headers.get(name), name)
}
