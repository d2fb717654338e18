/** Headers that the subscriber adds. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { decryptHeaders } from '../../../src/webhooks/subscriptions/header.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'
import { changeSubscription, path, readSubscription, receiver, register } from './registration.ts'

const reserved = [
  'Host',
  'content-type',
  'Content-Length',
  'Content-Encoding',
  'Connection',
  'Keep-Alive',
  'Transfer-Encoding',
  'TE',
  'Trailer',
  'Upgrade',
  'Expect',
  'Proxy-Authorization',
  'Proxy-Connection',
  'X-Webhook-Id',
  'x-webhook-anything',
  'Webhook-Signature',
  'Svix-Id',
  'User-Agent',
  'Date',
]
const values = [
  '',
  ' ',
  'a\r\nb: c',
  'a\nb',
  'tab\there',
  'caf\u00e9',
  '\u{1f600}',
  ' a',
  'a ',
  'x'.repeat(2001),
  '****',
]

onEitherDatabase('Headers of a subscription', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const stored = async (id: string): Promise<Record<string, string>> => {
    const { shared } = await service.service.operator()
    const sql = `SELECT headers FROM subscription WHERE id = '${id}'`
    const [row] = await inspect(service.config.databaseUrl, sql)
    return decryptHeaders(shared.secretBox, row?.['headers'] as Uint8Array)
  }

  it('are kept as they are, and shown with masked values', async () => {
    const headers = {
      Authorization: 'Bearer a.b~c',
      'X-API-Key': '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~ 09',
      cookie: 'a=b',
    }
    const made = await register(tenant.user, { headers })
    const masked = { Authorization: '****', 'X-API-Key': '****', cookie: '****' }
    assert.deepEqual(made.headers, masked)
    assert.deepEqual((await readSubscription(tenant.user, made.id)).headers, masked)
    assert.deepEqual(await stored(made.id), headers)
    for (const { text } of [await tenant.user.get(path), await tenant.admin.get('/api/audit?limit=200')]) {
      assert.ok(!text.includes('Bearer'))
    }
  })

  it('are replaced by a change, but for values that come back as they were shown', async () => {
    const { id } = await register(tenant.user, { headers: { a: 'one', b: 'two', c: 'three' } })
    const { body } = await changeSubscription(tenant.user, id, {
      headers: { a: '****', b: 'new', d: 'four' },
    })
    assert.deepEqual(body.headers, { a: '****', b: '****', d: '****' })
    assert.deepEqual(await stored(id), { a: 'one', b: 'new', d: 'four' })
    await changeSubscription(tenant.user, id, { headers: (await readSubscription(tenant.user, id)).headers })
    assert.deepEqual(await stored(id), { a: 'one', b: 'new', d: 'four' })
    await changeSubscription(tenant.user, id, { events: ['*'] })
    assert.deepEqual(await stored(id), { a: 'one', b: 'new', d: 'four' })
    await changeSubscription(tenant.user, id, { headers: {} })
    assert.deepEqual(await stored(id), {})
  })

  it('does not go to another host unless whoever moves it knows it', async () => {
    const { id } = await register(tenant.user, { headers: { a: 'one' } })
    const url = 'https://elsewhere.example/'
    for (const members of [{ url }, { url, headers: { a: '****' } }]) {
      assertError(await changeSubscription(tenant.user, id, members), 400, /^headers: must be given again/)
    }
    assert.equal((await changeSubscription(tenant.user, id, { url, headers: { a: 'two' } })).status, 200)
    assert.deepEqual(await stored(id), { a: 'two' })
  })

  it('are refused with a mask for a value that is not stored', async () => {
    const { id } = await register(tenant.user, { headers: { a: 'one' } })
    for (const name of ['b', 'A', 'constructor', 'toString']) {
      assertError(
        await changeSubscription(tenant.user, id, { headers: { [name]: '****' } }),
        400,
        /^headers\./,
      )
    }
  })

  for (const name of reserved) {
    it(`are refused with ${name}, which is not theirs`, async () => {
      const answer = await tenant.user.post(path, { ...receiver, headers: { [name]: 'a' } })
      assertError(answer, 400, `headers.${name}: is reserved`)
    })
  }

  it('are refused with names that HTTP does not know, or that are there twice', async () => {
    for (const name of ['', 'a b', 'a:', 'a\n', '\u00e9', 'a'.repeat(101), '(a)']) {
      assertError(await tenant.user.post(path, { ...receiver, headers: { [name]: 'a' } }), 400, /^headers: /)
    }
    assertError(
      await tenant.user.post(path, { ...receiver, headers: { a: '1', A: '2' } }),
      400,
      /^headers: .* once/,
    )
  })

  it('are refused with values that cannot be sent as they are', async () => {
    for (const value of values) {
      assertError(await tenant.user.post(path, { ...receiver, headers: { a: value } }), 400, /^headers\.a: /)
    }
  })

  it('are twenty at most', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'a']))
    await register(tenant.user, { headers: many(20) })
    assertError(
      await tenant.user.post(path, { ...receiver, headers: many(21) }),
      400,
      'headers: must have at most 20 members',
    )
  })
})
