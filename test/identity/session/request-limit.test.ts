import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createService, type Service } from '../../../src/service/service.ts'
import { type Answer, Client } from '../../support/client.ts'
import { type EmptyDatabase, emptyDatabase } from '../../support/database/empty-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'

const login = '/api/auth/login'
const passwordCost = { memory: 64, passes: 1 }

onEachDatabase('The strict policy', (database) => {
  let empty: EmptyDatabase
  const services: Service[] = []
  const others: EmptyDatabase[] = []

  /** Behind a proxy that is believed, or not. */
  const start = async (trustProxy: boolean, where = empty): Promise<Client> => {
    const service = await createService({ ...where.config, trustProxy }, { log: where.log, passwordCost })
    services.push(service)
    return new Client(await service.start())
  }

  let client: Client
  before(async () => {
    empty = await emptyDatabase(database)
    client = await start(true)
  })
  after(async () => {
    for (const service of services) await service.stop()
    for (const each of [empty, ...others]) await each.drop()
  })

  it('refuses the sixth sign-in of an address within ten seconds, whatever came of the others', async () => {
    const from = { 'x-forwarded-for': '10.0.0.1' }
    const answers = [
      await client.post(login, {}, from),
      await client.post(login, '{', from),
      await client.post(login, { userName: 'nobody', password: 'x' }, from),
      await client.post(login, {}, { ...from, 'x-tenant-id': 'nobody' }),
      await client.post(login, 'a=b', { ...from, 'content-type': 'text/plain' }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 401, 404, 415],
    )
    assert.deepEqual(answers.map(remaining), [4, 3, 2, 1, 0])
    const refused = await client.post(login, { userName: 'nobody', password: 'x' }, from)
    assert.equal(refused.status, 429)
    assert.deepEqual(refused.body, { message: 'Too many requests. Try again later.' })
    const retryAfter = Number(refused.headers.get('retry-after'))
    assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 10, `${retryAfter}`)
    assert.equal(refused.headers.get('ratelimit'), `"strict";r=0;t=${retryAfter}`)
    assert.equal(refused.headers.get('ratelimit-policy'), '"strict";q=5;w=10')
  })

  it('leaves other addresses alone', async () => {
    const other = await client.post(login, {}, { 'x-forwarded-for': '10.0.0.2' })
    assert.equal(other.status, 400)
    assert.equal(remaining(other), 4)
  })

  it('counts a network of IPv6 as one client, and knows an address of IPv4 in every form', async () => {
    const clients = [
      ['2001:db8:0:7::1', '2001:DB8:0:7::2', '2001:db8:0:7:ffff:ffff:ffff:ffff', '[2001:db8:0:7::9]:4711'],
      ['10.0.7.1', '::ffff:10.0.7.1', '::ffff:a00:701', '10.0.7.1:4711'],
      ['unknown', '_hidden', 'x'.repeat(2000), '300.1.1.1'],
    ]
    for (const forms of clients) {
      const left: number[] = []
      for (const form of forms)
        left.push(remaining(await client.post(login, {}, { 'x-forwarded-for': form })))
      assert.deepEqual(left, [4, 3, 2, 1], `${forms}`)
    }
    const neighbour = await client.post(login, {}, { 'x-forwarded-for': '2001:db8:0:8::1' })
    assert.equal(remaining(neighbour), 4)
  })

  it('counts twenty simultaneous sign-ins of an address one by one', async () => {
    const from = { 'x-forwarded-for': '10.0.0.3' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(login, {}, from)))
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [...Array<number>(5).fill(400), ...Array<number>(15).fill(429)])
  })

  it('is on no other address of the service', async () => {
    const from = { 'x-forwarded-for': '10.0.0.1' }
    for (let count = 0; count < 8; count++) {
      assert.equal((await client.get('/api/init/status', from)).status, 200)
      assert.equal((await client.post('/api/auth/refresh', { refreshToken: 'x' }, from)).status, 401)
    }
  })

  it('believes no X-Forwarded-For unless it is told to', async () => {
    const other = await emptyDatabase(database)
    others.push(other)
    const direct = await start(false, other)
    const answers: Answer[] = []
    for (let count = 1; count <= 6; count++) {
      answers.push(
        await direct.post(login, {}, { 'x-forwarded-for': `10.0.1.${count}`, 'x-real-ip': '10.0.1.9' }),
      )
    }
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 400, 400, 400, 429],
    )
  })

  if (database === 'postgres') {
    it('counts for all instances together', async () => {
      const other = await start(true)
      const from = { 'x-forwarded-for': '10.0.0.4' }
      const answers: Answer[] = []
      for (const each of [client, other, other, client, other, client]) {
        answers.push(await each.post(login, {}, from))
      }
      assert.deepEqual(answers.map(remaining), [4, 3, 2, 1, 0, 0])
      assert.equal(answers.at(-1)?.status, 429)
      assert.equal((await other.post(login, {}, from)).status, 429)
    })

    it('asks the database nothing for an address that is refused', async () => {
      const from = { 'x-forwarded-for': '10.0.0.5' }
      for (let count = 0; count < 6; count++) await client.post(login, {}, from)
      const points = `SELECT points FROM rate_limit WHERE key = 'strict:10.0.0.5'`
      const counted = await inspect(empty.config.databaseUrl, points)
      for (let count = 0; count < 5; count++) {
        const refused = await client.post(login, {}, from)
        assert.equal(refused.status, 429)
        assert.equal(remaining(refused), 0)
      }
      assert.deepEqual(await inspect(empty.config.databaseUrl, points), counted)
    })

    it('lets the address in again when its ten seconds are over', async () => {
      const from = { 'x-forwarded-for': '10.0.0.1' }
      const statuses: number[] = []
      for (let count = 0; count < 6 && statuses.at(-1) !== 429; count++)
        statuses.push((await client.post(login, {}, from)).status)
      assert.equal(statuses.at(-1), 429)
      await inspect(empty.config.databaseUrl, later(10_000))
      // The instance that has refused remembers until when: another one asks the database.
      const answer = await (await start(true)).post(login, {}, from)
      assert.equal(answer.status, 400)
      assert.equal(remaining(answer), 4)
    })

    it('refuses the sixth in any ten seconds, wherever those begin', async () => {
      const other = await start(true)
      const from = { 'x-forwarded-for': '10.0.0.6' }
      const count = async (number: number): Promise<number[]> => {
        const statuses: number[] = []
        for (let each = 0; each < number; each++) statuses.push((await other.post(login, {}, from)).status)
        return statuses
      }
      assert.deepEqual(await count(1), [400])
      await inspect(empty.config.databaseUrl, later(9_000))
      const began = performance.now()
      assert.deepEqual(await count(4), [400, 400, 400, 400])
      await inspect(empty.config.databaseUrl, later(2_000))
      const fresh = await start(true)
      assert.equal(remaining(await fresh.post(login, {}, from)), 0)
      const refused = await fresh.post(login, {}, from)
      assert.equal(refused.status, 429)
      const wait = Number(refused.headers.get('retry-after'))
      const passedSeconds = (performance.now() - began) / 1000
      assert.ok(wait <= 8 && wait >= 8 - passedSeconds, `${wait}`)
    })

    it('forgets nobody whose count was begun by an earlier version', async () => {
      await inspect(
        empty.config.databaseUrl,
        "INSERT INTO rate_limit (key, points, expire) VALUES ('strict:10.0.0.7', 3, 0)",
      )
      assert.equal(remaining(await client.post(login, {}, { 'x-forwarded-for': '10.0.0.7' })), 4)
    })
  }
})

/** What was counted was so many milliseconds earlier. */
function later(ms: number): string {
  const moved = `SELECT json_object_agg(at::bigint - ${ms}, number) FROM json_each(hits::json) AS hit (at, number)`
  return `UPDATE rate_limit SET expire = expire - ${ms}, hits = (${moved})::text WHERE key LIKE 'strict:%'`
}

function remaining({ headers }: Answer): number {
  const state = /^"strict";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')
  assert.ok(state !== null && Number(state[2]) >= 1 && Number(state[2]) <= 10, 'RateLimit is missing')
  return Number(state[1])
}
