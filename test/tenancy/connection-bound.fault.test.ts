/** Tenants with PostgreSQL databases of their own share one bound on connections. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { type FutureDatabase, futureDatabase } from '../support/database/future-database.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { deliveries, publish, subscribe } from '../support/webhooks/delivery-scene.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'

describe('Tenants with databases of their own', () => {
  it('are served with a single connection for all of them, and their events are delivered', async () => {
    await using scene = await startWithDatabases(1, 2)
    const receiver = await startReceiver((response) => response.end())
    try {
      const work = async ({ user }: TestTenant): Promise<void> => {
        await subscribe(user, receiver, { events: ['*'] })
        const key = { 'idempotency-key': 'once' }
        const product = { name: 'Desk', price: 2 }
        const [made, again] = await Promise.all([
          user.post('/api/products', product, key),
          user.post('/api/products', product, key),
        ])
        assert.deepEqual([made.status, again.status, again.body.id], [201, 201, made.body.id], made.text)
        const items = [{ productId: made.body.id, quantity: 2 }]
        const { body: me } = await user.get('/api/auth/me')
        const order = await user.post('/api/orders', { customerId: me.id, items })
        assert.equal(order.status, 201, order.text)
        await publish(user)
        const isDone = async () => {
          const all = await deliveries(user)
          return all.length >= 3 && all.every(({ status }) => status === 'SUCCEEDED')
        }
        await eventually('the deliveries', 15_000, isDone)
      }
      await Promise.all(scene.tenants.map(work))
      assert.equal(await scene.connections(), 1)
    } finally {
      await receiver.close()
    }
  })

  it('get 503 with Retry-After while all connections are taken for too long, and are served afterwards', async () => {
    await using scene = await startWithDatabases(2, 3)
    const [first, second, third] = scene.tenants
    assert.ok(first && second && third)
    const locks = await Promise.all(scene.databases.slice(0, 2).map(holdProducts))
    const stuck = [first, second].map(({ user }) => user.post('/api/products', { name: 'Desk', price: 1 }))
    await eventually('both', soonMs, async () => /state="in_use"\} 2/.test(await scene.metrics()))
    const refused = await third.user.get('/api/products')
    assert.equal(refused.status, 503)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await scene.service.host.get('/api/products')).status, 200)
    for (const lock of locks) await lock.end()
    for (const { status } of await Promise.all(stuck)) assert.equal(status, 201)
    assert.equal((await third.user.get('/api/products')).status, 200)
    const nobodyWaits = async () => /^tenant_database_connection_waiters 0$/m.test(await scene.metrics())
    await eventually('nobody waits', soonMs, nobodyWaits) // deliveries take their turn as well
  })
})

async function startWithDatabases(most: number, count: number) {
  await using held = new AsyncDisposableStack()
  const service = await startService('postgres', { TENANT_DATABASE_CONNECTIONS: `${most}` })
  const databases: FutureDatabase[] = []
  const tenants: TestTenant[] = []
  held.defer(async () => {
    for (const database of databases) await database.drop()
  })
  held.defer(() => service.stop())
  for (let made = 0; made < count; made++) {
    const database = await futureDatabase()
    databases.push(database)
    tenants.push(await service.newTenant({ connectionString: database.url }))
    assert.equal((await tenants.at(-1)?.user.get('/api/products'))?.status, 200)
  }
  const all = held.move()
  return {
    service,
    databases,
    tenants,
    metrics: () => metrics(service),
    connections: async () => {
      const counts = (await metrics(service)).matchAll(/^tenant_database_connections\{.*\} (\d+)$/gm)
      return [...counts].reduce((sum, [, value]) => sum + Number(value), 0)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function metrics({ anonymous }: TestService): Promise<string> {
  return (await anonymous.get('/metrics')).text
}

/** Until it ends, whoever writes a product waits: not for a lock, which would be given up after five seconds. */
async function holdProducts({ url }: FutureDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // a test that fails drops the database under it
  await client.connect()
  await client.query('SELECT pg_advisory_lock(1)')
  await client.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      WHILE NOT pg_try_advisory_xact_lock(1) LOOP PERFORM pg_sleep(0.02); END LOOP;
      RETURN NEW;
    END $$;
    CREATE TRIGGER wait BEFORE INSERT ON product FOR EACH ROW EXECUTE FUNCTION wait()`)
  return client
}
