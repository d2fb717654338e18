/** PostgreSQL after a failover onto a standby, or made read-only by an administrator: refused, told, and over without a restart. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { postgresServerUrl } from '../../support/databases.ts'
import { assertUnavailable } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService } from '../../support/service.ts'
import { deliveries, delivery, setScene } from '../../support/webhooks/delivery-scene.ts'

describe('While PostgreSQL is read-only', () => {
  let service: TestService
  before(async () => {
    service = await startService('postgres')
  })
  after(async () => {
    await makeReadOnly(service, false)
    await service.stop()
  })

  it('changes get 503 with Retry-After, reads go on, and readiness says so', async () => {
    await makeReadOnly(service, true)
    assertUnavailable(await service.host.post('/api/products', { name: 'Desk', price: 1 }))
    assertUnavailable(await service.host.post('/api/tenants', { id: 'later', name: 'Later' }))
    const mutation = 'mutation { createProduct(input: { name: "Desk", price: 1 }) { id } }'
    const { body } = await service.host.post('/graphql', { query: mutation })
    assert.equal(body.errors?.[0]?.extensions?.code, 'UNAVAILABLE', JSON.stringify(body))
    assert.equal((await service.host.get('/api/products')).status, 200)
    assert.equal((await service.anonymous.get('/health/ready')).status, 503)
    assert.equal((await service.anonymous.get('/health/live')).status, 200)
  })

  it('and is so no longer, readiness and changes are back, though the sessions of before are there', async () => {
    await Promise.all(Array.from({ length: 20 }, () => service.host.get('/api/products')))
    await makeReadOnly(service, false, { keepSessions: true })
    await eventually('readiness', soonMs, async () => {
      return (await service.anonymous.get('/health/ready')).status === 200
    })
    const make = () => service.host.post('/api/products', { name: 'Desk', price: 1 })
    // A session of before is still read-only, and goes with the change that it refuses.
    await eventually('changes on all connections', soonMs, async () => {
      const made = await Promise.all(Array.from({ length: 20 }, make))
      return made.every(({ status }) => status === 201)
    })
  })
})

describe('What was sent while PostgreSQL became read-only', () => {
  it('is recorded when it is so no longer, and not sent again', async () => {
    await using scene = await setScene('postgres')
    const answers: (() => void)[] = []
    const receiver = await scene.receiver((response) => answers.push(() => response.end()))
    await scene.subscribe(receiver)
    for (let count = 0; count < 5; count++) await scene.publish()
    await eventually('all requests', soonMs, async () => answers.length === 5)
    await makeReadOnly(scene.service, true)
    for (const answer of answers) answer()
    await eventually('a write is refused', soonMs, async () => {
      return (await scene.user.post('/api/products', { name: 'Desk', price: 1 })).status === 503
    })
    await makeReadOnly(scene.service, false)
    // A session that was ended is noticed by the first who asks.
    await eventually('an answer', soonMs, async () => (await scene.user.get('/api/orders')).status === 200)
    await eventually('all results', soonMs, async () => {
      if ((await scene.user.get('/api/webhooks/deliveries')).status !== 200) return false
      const all = await deliveries(scene.user)
      return all.length === 5 && all.every(({ status, attempts }) => status === 'SUCCEEDED' && attempts === 1)
    })
    const [first] = await deliveries(scene.user)
    assert.equal((await delivery(scene.user, first?.id ?? '')).attemptLog.length, 1)
    assert.equal(receiver.requests.length, 5)
  })
})

/** Sessions that are there keep what they began with, so that they are ended, as by a failover. */
async function makeReadOnly(
  { config }: TestService,
  isReadOnly: boolean,
  { keepSessions = false } = {},
): Promise<void> {
  const server = await postgresServerUrl()
  const name = new URL(config.databaseUrl).pathname.slice(1)
  const change = isReadOnly ? 'SET default_transaction_read_only = on' : 'RESET default_transaction_read_only'
  await inspect(server, `ALTER DATABASE ${name} ${change}`)
  if (keepSessions) return
  await inspect(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
}
