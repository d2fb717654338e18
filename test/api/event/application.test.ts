/** Events that applications publish: `POST /api/events`. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventsOf } from '../../support/orders.ts'
import { runSeed } from '../../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

onEitherDatabase('An event of an application', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const post = (body: unknown, headers = {}) => tenant.user.post('/api/events', body, headers)
  const last = async () => (await eventsOf(service, tenant.id)).at(-1)

  it('is accepted, and kept as it was sent', async () => {
    const data = { parcelId: 'p-1', deep: { list: [1, null, true, 'ü\u2028🙂', 19.99] }, id: 7, type: 'x' }
    const answer = await post({ type: 'parcel.shipped', data, tenantId: 'default', id: 'evt_mine' })
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual(Object.keys(answer.body), ['id'])
    assert.match(answer.body.id, /^evt_[0-9a-hjkmnp-tv-z]{26}$/)
    assert.deepEqual(await last(), { id: answer.body.id, type: 'parcel.shipped', data })
  })

  it('may tell nothing, or anything that JSON can hold', async () => {
    const data = fc.dictionary(fc.string({ unit: 'binary-ascii' }), fc.jsonValue(), { maxKeys: 8 })
    const sent = new Map<string, string>()
    for (const value of fc.sample(data, { numRuns: 50, seed: runSeed })) {
      const text = JSON.stringify({ type: 'a.b', data: value })
      if (text.includes('\\u0000') || text.includes('"__proto__"')) continue
      const { status, body } = await post(text)
      assert.equal(status, 202, text)
      sent.set(body.id, text)
    }
    const kept = (await eventsOf(service, tenant.id)).filter(({ id }) => sent.has(id))
    assert.ok(kept.length > 20, `${kept.length} were sent`)
    assert.equal(kept.length, sent.size)
    for (const event of kept) assert.deepEqual(event.data, JSON.parse(sent.get(event.id) ?? '').data)
  })

  it('goes to the database of the tenant', async () => {
    const file = uniqueName('own')
    const own = await service.newTenant({ connectionString: `sqlite:${file}.db` })
    const { body } = await own.user.post('/api/events', { type: 'parcel.shipped', data: {} })
    const url = `sqlite:${service.dataDir}/tenants/${file}.db`
    const [row] = await inspect(url, `SELECT type, data FROM event WHERE id = '${body.id}'`)
    assert.deepEqual({ ...row }, { type: 'parcel.shipped', data: '{}' })
  })

  it('of the catalogue is for administrators, with the payload that the catalogue says', async () => {
    const data = { orderId: randomUUID(), customerId: 'c-1', total: 19.99 }
    const refusal = 'Only an administrator may publish an event of the catalogue.'
    for (const type of ['order.created', 'user.created', 'webhook.deactivated']) {
      assertError(await post({ type, data }), 403, refusal)
    }
    const { status } = await tenant.admin.post('/api/events', { type: 'order.created', data })
    assert.equal(status, 202)
    assert.deepEqual((await last())?.data, data)
    const incomplete = await tenant.admin.post('/api/events', { type: 'order.created', data: { total: 1 } })
    assertError(incomplete, 400, /^data: does not match its schema: .*orderId/)
    for (const type of ['order.Created', 'Order.created', 'USER.CREATED']) {
      for (const client of [tenant.user, tenant.admin]) {
        const answer = await client.post('/api/events', { type, data })
        assertError(answer, 400, `type: differs from ${type.toLowerCase()} of the catalogue only in case`)
      }
    }
    for (const type of ['order.shipped', 'order.created.twice', 'my-app.a_b.c9']) {
      assert.equal((await post({ type, data: {} })).status, 202, type)
    }
  })

  it('needs a name and an object', async () => {
    for (const type of [
      'parcel',
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      'a b.c',
      'ü.a',
      'a.*',
      `${'a'.repeat(99)}.b`,
      7,
      null,
    ]) {
      assertError(await post({ type, data: {} }), 400, /^type: /)
    }
    for (const data of [null, [], 'text', 7])
      assertError(await post({ type: 'a.b', data }), 400, /^data: must be object$/)
    assertError(await post({}), 400, 'type: is required; data: is required')
    for (const text of ['\0', '\ud800']) {
      assertError(
        await post({ type: 'a.b', data: { deep: [text] } }),
        400,
        /^data\.deep\.0: must not contain/,
      )
    }
    assertError(await service.anonymous.post('/api/events', { type: 'a.b', data: {} }), 401)
  })

  it('has data of 256 KiB at most, counted in bytes and without blanks', async () => {
    const most = 256 * 1024
    const around = Buffer.byteLength(JSON.stringify({ text: '' }))
    for (const letter of ['a', 'ä']) {
      const text = letter.repeat((most - around) / Buffer.byteLength(letter))
      const blanks = ' '.repeat(1000)
      assert.equal((await post(`{"type":"a.b",${blanks}"data":{${blanks}"text":"${text}"}}`)).status, 202)
      const kept = await last()
      assert.deepEqual(kept?.data, { text })
      const answer = await post({ type: 'a.b', data: { text: `${text}${letter}` } })
      assertError(answer, 400, 'data: must not be larger than 256 KiB')
      assert.equal((await last())?.id, kept?.id)
    }
  })

  it('is published once for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const type = `once.${uniqueName('a')}`
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ type, data: {} }, key)))
    for (const { status, text } of answers) assert.deepEqual([status, text], [202, answers[0]?.text])
    const same = (await eventsOf(service, tenant.id)).filter((event) => event.type === type)
    assert.equal(same.length, 1)
    assertError(await post({ type, data: { other: 1 } }, key), 422)
  })
})
