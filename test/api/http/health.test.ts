import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { Wire } from '../../support/database/wire.ts'
import { createPostgresDatabase, migratedTemplate, onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { sharedService, startService } from '../../support/service.ts'

const alive = ['/health/live', '/healthz']
const ready = ['/health', '/health/ready', '/ready']

onEachDatabase('Health', (database) => {
  it('is told at five addresses, with the state of the database', async () => {
    const { anonymous, stop } = await sharedService(database)
    for (const path of alive) {
      const { status, body } = await anonymous.get(path)
      assert.deepEqual({ status, body }, { status: 200, body: { status: 'healthy' } })
    }
    for (const path of ready) {
      const { status, body } = await anonymous.get(path)
      const { ms } = body.checks.database
      assert.ok(ms >= 0)
      assert.equal(status, 200)
      assert.deepEqual(body, { status: 'healthy', checks: { database: { status: 'healthy', ms } } })
    }
    await stop()
  })
})

describe('A service whose PostgreSQL goes away', () => {
  it('lives, is not ready, says 503 to requests, recovers by itself, and stops without it', async () => {
    const database = await createPostgresDatabase(migratedTemplate)
    const wire = await Wire.to(database.url)
    await using held = new AsyncDisposableStack()
    held.defer(() => wire.cut())
    const service = await startService('sqlite', { DATABASE_URL: wire.url })
    const client = service.host
    assert.equal((await client.post('/api/products', { name: 'Desk', price: 1 })).status, 201)

    await wire.cut()
    await assertGone(client)
    await wire.mend()
    await eventually('readiness', soonMs, async () => (await client.get('/ready')).status === 200)
    const list = await client.get('/api/products')
    assert.deepEqual({ status: list.status, count: list.body.length }, { status: 200, count: 1 })

    wire.hold()
    const began = performance.now()
    await assertNotReady(client)
    assert.ok(performance.now() - began < soonMs)
    await wire.cut()
    await service.stop()
    await database.drop()
  })
})

async function assertGone(client: Client): Promise<void> {
  await assertNotReady(client)
  const refused = await client.post('/api/products', { name: 'Chair', price: 1 })
  assert.equal(refused.status, 503)
  assert.deepEqual(Object.keys(refused.body), ['message'])
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
}

async function assertNotReady(client: Client): Promise<void> {
  for (const path of alive) assert.equal((await client.get(path)).status, 200)
  const answers: Answer[] = await Promise.all(ready.map((path) => client.get(path)))
  for (const { status, body } of answers) {
    assert.equal(status, 503)
    assert.equal(body.status, 'unhealthy')
    assert.equal(body.checks.database.status, 'unhealthy')
  }
}
