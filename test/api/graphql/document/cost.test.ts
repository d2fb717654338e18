/** The cost units that preparing unknown documents takes from a caller. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { newsFeature } from '../../../support/graphql/public-subscription.ts'
import { RawSocket } from '../../../support/graphql/raw-socket.ts'
import { recorderOf } from '../../../support/graphql/statement-recorder.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

/** The shortest document costs as much, and nothing is earned back while the tests run. */
const onlyOne = { units: 0.5, windowSeconds: 1_000_000 }

onEitherDatabase('A caller whose cost units one unknown document takes', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(
      database,
      {},
      { costPolicies: { address: onlyOne }, features: [newsFeature] },
    )
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  let addresses = 0
  /** An address that nobody has called from. */
  const stranger = () =>
    service.anonymous.with({ 'x-tenant-id': tenant.id, 'x-forwarded-for': `203.0.113.${++addresses}` })
  let documents = 0
  const unknown = (fields = '__typename') => `{ ${fields} new${++documents}: __typename }`

  it('is refused the next one with 429, and told of its bucket', async () => {
    const caller = stranger()
    assert.equal((await caller.post('/graphql', { query: unknown() })).status, 200)
    const { status, body, headers } = await caller.post('/graphql', { query: unknown() })
    assert.equal(status, 429)
    assert.match(body.message, /cost too much/)
    assert.ok(Number(headers.get('retry-after')) >= 1)
    assert.match(headers.get('ratelimit') ?? '', /^"cost";r=0;t=\d+$/)
  })

  it('goes on with documents that are known, whoever asked for them first', async () => {
    const [caller, other] = [stranger(), stranger()]
    const [own, foreign] = [unknown(), unknown()]
    await caller.post('/graphql', { query: own })
    await other.post('/graphql', { query: foreign })
    for (const query of [own, foreign, own]) {
      assert.equal((await caller.post('/graphql', { query })).body.data.__typename, 'Query')
    }
  })

  it('pays for documents that are refused', async () => {
    for (const query of [unknown('nothing'), `${unknown()} }`, unknown('a '.repeat(3000))]) {
      const caller = stranger()
      assert.ok((await caller.post('/graphql', { query })).body.errors.length > 0)
      assert.equal((await caller.post('/graphql', { query })).status, 429, query.slice(0, 30))
    }
  })

  it('is refused over GET, as an event stream and by hash', async () => {
    const caller = stranger()
    await caller.post('/graphql', { query: unknown() })
    const byGet = await caller.get(`/graphql?${new URLSearchParams({ query: unknown() })}`)
    const accept = 'text/event-stream'
    const streamed = await caller.post(
      '/graphql',
      { query: 'subscription S { onOrderCreated { id } }' },
      { accept },
    )
    const query = unknown()
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', query) } }
    const byHash = await caller.post('/graphql', { query, extensions })
    assert.deepEqual([byGet.status, streamed.status, byHash.status], [429, 429, 429])
  })

  it('is refused over a WebSocket, which goes on', async () => {
    const { headers } = stranger()
    await using socket = await RawSocket.enter(service.url, {}, { headers: { ...headers } })
    const known = unknown()
    assert.equal((await socket.run(known)).type, 'next')
    const refused = await socket.run(unknown())
    assert.equal(refused.type, 'error')
    assert.equal(refused.payload[0].extensions.code, 'TOO_MANY_REQUESTS')
    assert.equal((await socket.run(known)).type, 'next')
  })
})

onEitherDatabase('Unknown documents that come at once', (database) => {
  it('are prepared one in each turn of the event loop', async () => {
    const service = await startService(database)
    try {
      const { prepare } = await recorderOf(service, await service.newTenant())
      let turn = 0
      let isOver = false
      const count = () => {
        turn++
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      const prepared = Array.from({ length: 10 }, async (_each, index) => {
        await prepare(`{ a${index}: __typename }`)
        return turn
      })
      const turns = await Promise.all(prepared)
      isOver = true
      assert.equal(new Set(turns).size, turns.length)
    } finally {
      await service.stop()
    }
  })
})
