import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { maxConcurrentHashes } from '../../../src/identity/password/argon2.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import {
  password,
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../support/service.ts'
import { maxHashesAtOnce } from '../hash-count.ts'
import { Flood, queueHolds, readFigure } from '../sign-in-flood.ts'

const sent = 32
/** A hash takes much longer than other requests, and whatever is sent here fits into the queue. */
const passwordCost = { memory: 32_768, passes: 2 }
const hashLimits = { maxQueueMs: 600_000, maxWaitMs: 600_000 }

/** One flood for all tests: when the last of them ends it, most of its hashes still wait. */
onEitherDatabase('While many sign in at once', (database) => {
  const ended = Promise.withResolvers<void>()
  let service: TestService
  let tenant: TestTenant
  let refreshToken: string
  let flood: Flood
  let most: Promise<number>
  before(async () => {
    const settings = { DATABASE_CONNECTIONS: '2' }
    service = await startService(database, settings, { passwordCost, hashLimits })
    tenant = await service.newTenant()
    refreshToken = (await service.signIn('admin')).refreshToken
    assert.equal((await logIn({ 'x-forwarded-for': '2001:db8:0:1::1' })).status, 200)
    most = maxHashesAtOnce(() => ended.promise)
    flood = new Flood(service, sent)
    await queueHolds(service, (depth) => depth > sent / 2)
  })
  after(async () => {
    ended.resolve()
    await flood.stop()
    await service.stop()
  })

  it('neither a refresh nor the first use of a token waits for their hashes', async () => {
    const refreshed = await service.anonymous.post('/api/auth/refresh', { refreshToken })
    const me = await service.anonymous.withToken(refreshed.body.accessToken).get('/api/auth/me')
    const keys = await service.anonymous.get('/.well-known/jwks.json')
    assert.deepEqual([refreshed.status, me.status, keys.status], [200, 200, 200])
    flood.isOvertaken()
  })

  it('they hold no connection to the database', async () => {
    const made = await service.host.post('/api/products', { name: 'Desk', price: 1 })
    assert.equal(made.status, 201)
    flood.isOvertaken()
  })

  it('others have their turns: a user from a known network, another tenant, an administrator', async () => {
    const [owner, stranger, made] = await Promise.all([
      logIn({ 'x-forwarded-for': '2001:db8:0:1:ffff::2' }),
      logIn({ 'x-forwarded-for': '10.1.1.1', 'x-tenant-id': tenant.id }, 'boss'),
      service.host.post('/api/users', person(uniqueName('user'))),
    ])
    assert.deepEqual([owner.status, stranger.status, made.status], [200, 200, 201])
    flood.isOvertaken()
  })

  it('those who go away are not served', async () => {
    await flood.stop()
    await queueHolds(service, (depth) => depth === 0)
    assert.ok((await readFigure(service, 'password_hashes_total{outcome="abandoned"}')) > sent / 4)
    flood.isOvertaken()
  })

  it('half of the thread pool stays free', async () => {
    ended.resolve()
    assert.equal(await most, maxConcurrentHashes(4))
    assert.ok((await most) <= 2)
  })

  it('figures tell how long they wait', async () => {
    assert.ok((await readFigure(service, 'password_hash_wait_seconds_total')) > 0)
    assert.ok((await readFigure(service, 'password_hashes_total{outcome="computed"}')) > 0)
  })

  function logIn(headers: Record<string, string>, userName = 'admin') {
    return service.anonymous.post('/api/auth/login', { userName, password }, headers)
  }
})
